import type { SemaphoreState } from './semaphore-state.js';
import type { Shift } from './shift.js';

/** A waiter asks again after this at the latest, in case a message to it got lost. */
export const ASK_AGAIN_MS = 1_000;

/**
 * When a waiter should ask again: when the next lease ends, at most {@link ASK_AGAIN_MS} from now, in milliseconds.
 *
 * Exact. The holders are looked through only when the known bound is nearer than that: not while leases are long, but while
 * a hand-over waits for its confirmation.
 *
 * @param renewed Holders whose lease is renewed beyond {@link ASK_AGAIN_MS} or is the caller's own.
 */
export function retryAfter(
  state: SemaphoreState,
  shift: Shift,
  nowMs: number,
  renewed?: ReadonlySet<string>,
): number {
  let nearestMs = shift.nearestExpiryMs ?? state.nearestExpiryMs;
  if (shift.nearestExpiryMs === undefined && nearestMs - nowMs < ASK_AGAIN_MS) {
    nearestMs = Infinity;
    for (const [id, { expiresAtMs }] of state.holders) {
      if (renewed?.has(id) !== true) nearestMs = Math.min(nearestMs, expiresAtMs);
    }
  }
  for (const { waiter, expiresAtMs } of shift.promoted) {
    if (renewed?.has(waiter.id) !== true) nearestMs = Math.min(nearestMs, expiresAtMs);
  }
  return Math.min(nearestMs - nowMs, ASK_AGAIN_MS);
}
