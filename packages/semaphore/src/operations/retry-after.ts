import type { SemaphoreState } from './semaphore-state.js';
import type { Shift } from './shift.js';

/** A waiter asks again after this at the latest, in case a message to it got lost. */
export const ASK_AGAIN_MS = 1_000;

/**
 * When a waiter should ask again: when the next lease can end after the shift, at most {@link ASK_AGAIN_MS} from now, in
 * milliseconds. Always positive.
 *
 * May be too early, because it goes by the state's bound, and never too late. Whoever asks at a bound that has passed has it
 * made exact by {@link planShift}, so that nobody asks twice for the same one.
 *
 * @param leasedUntilMs When the leases end that the step gives besides those of the shift.
 */
export function retryAfter(
  state: SemaphoreState,
  shift: Shift,
  nowMs: number,
  leasedUntilMs: number = Infinity,
): number {
  let nearestMs = Math.min(shift.nearestExpiryMs ?? state.nearestExpiryMs, leasedUntilMs);
  for (const { expiresAtMs } of shift.promoted) nearestMs = Math.min(nearestMs, expiresAtMs);
  return Math.min(nearestMs - nowMs, ASK_AGAIN_MS);
}
