import type { Decision, PublishedMessage } from '@frontmcp/guard-core';

import { channelOfTicket, encodeHandOver } from './hand-over-message.js';
import { handOverLease, keep, lease, stateTime, type SemaphoreState } from './semaphore-state.js';
import { dequeue, waiterAt, type Waiter } from './waiter-queue.js';

/** Who takes part in a {@link Shift} in a special way. */
export interface ShiftOptions {
  /** A holder that leaves with this step. */
  readonly released?: string;
  /** A waiter that leaves with this step. */
  readonly cancelled?: string;
  /** Holders whose lease this step renews, even if it has ended. */
  readonly renewed?: ReadonlySet<string>;
}

/** What moves up when a step frees slots: worked out first, so that deciding changes nothing. */
export interface Shift {
  /** Holders whose lease has ended. */
  readonly expired: readonly string[];
  /** Waiters that are passed over because their caller no longer waits. */
  readonly gone: readonly string[];
  /** Waiters that get a slot, in order. */
  readonly promoted: readonly Promoted[];
  /** How many hold and how many wait afterwards. */
  readonly live: number;
  readonly queued: number;
  /** The exact earliest end of a lease among the holders that stay as they are, when they had to be looked through. */
  readonly nearestExpiryMs: number | undefined;
}

/** One waiter that gets a slot. */
export interface Promoted {
  readonly waiter: Waiter;
  readonly expiresAtMs: number;
}

/**
 * Works out who moves up: holders whose lease has ended go, then waiters get slots in order of arrival, each as long as
 * fewer hold than its own limit allows. The first that has to stay keeps everybody behind it waiting.
 *
 * Looks through the holders only when a lease can have ended.
 */
export function planShift(state: SemaphoreState, nowMs: number, options: ShiftOptions = {}): Shift {
  const { released, cancelled, renewed } = options;
  const expired: string[] = [];
  let nearestExpiryMs: number | undefined;
  if (state.nearestExpiryMs <= nowMs) {
    nearestExpiryMs = Infinity;
    for (const [id, holder] of state.holders) {
      if (id === released || renewed?.has(id) === true) continue;
      if (holder.expiresAtMs <= nowMs) expired.push(id);
      else nearestExpiryMs = Math.min(nearestExpiryMs, holder.expiresAtMs);
    }
  }
  let live = state.holders.size - (released === undefined ? 0 : 1) - expired.length;
  let queued = (state.waiters?.byId.size ?? 0) - (cancelled === undefined ? 0 : 1);
  const gone: string[] = [];
  const promoted: Promoted[] = [];
  const { waiters } = state;
  for (let index = waiters?.head ?? 0; waiters && index < waiters.order.length; index++) {
    const waiter = waiterAt(waiters, index);
    if (waiter === undefined || waiter.id === cancelled) continue;
    if (waiter.untilMs <= nowMs) gone.push(waiter.id);
    else if (live >= waiter.max) break;
    else {
      promoted.push({ waiter, expiresAtMs: nowMs + handOverLease(waiter.leaseMs) });
      live++;
    }
    queued--;
  }
  return { expired, gone, promoted, live, queued, nearestExpiryMs };
}

/** Whether there is something to write: a change, or a better bound for the next lease that ends. */
export function isWorthWriting(shift: Shift): boolean {
  return isChange(shift) || shift.nearestExpiryMs !== undefined;
}

function isChange({ expired, gone, promoted }: Shift): boolean {
  return expired.length > 0 || gone.length > 0 || promoted.length > 0;
}

/** Makes a shift true. A shift that changes nothing moves the state's time neither. */
export function applyShift(
  state: SemaphoreState,
  shift: Shift,
  nowMs: number,
  options: ShiftOptions = {},
): void {
  if (isChange(shift)) state.clockMs = nowMs;
  if (options.released !== undefined) state.holders.delete(options.released);
  for (const id of shift.expired) state.holders.delete(id);
  if (shift.nearestExpiryMs !== undefined) state.nearestExpiryMs = shift.nearestExpiryMs;
  const { waiters } = state;
  if (waiters === undefined) return;
  if (options.cancelled !== undefined) dequeue(waiters, options.cancelled);
  for (const id of shift.gone) dequeue(waiters, id);
  for (const { waiter, expiresAtMs } of shift.promoted) {
    dequeue(waiters, waiter.id);
    lease(state, waiter.id, nowMs, expiresAtMs, waiter.leaseMs);
  }
}

/** A step in which a ticket leaves, and whoever waits moves up. */
export function leaveByShift(
  state: SemaphoreState,
  nowMs: number,
  options: ShiftOptions,
): Decision<SemaphoreState, boolean> {
  const now = stateTime(state, nowMs);
  const shift = planShift(state, now, options);
  return {
    result: true,
    admitted: true,
    publish: handOverMessages(shift),
    commit: () => {
      state.clockMs = now;
      applyShift(state, shift, now, options);
      return keep(state);
    },
  };
}

/** The messages to those who move up; `except` says who learns it from the reply of the step. */
export function handOverMessages(
  shift: Shift,
  except?: (id: string) => boolean,
): readonly PublishedMessage[] {
  return shift.promoted
    .filter(({ waiter }) => except?.(waiter.id) !== true)
    .map(({ waiter, expiresAtMs }) => ({
      channel: channelOfTicket(waiter.id),
      message: encodeHandOver(waiter.id, expiresAtMs),
    }));
}
