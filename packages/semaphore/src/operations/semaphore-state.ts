import type { AtomicState } from '@frontmcp/guard-core';

import type { WaiterQueue } from './waiter-queue.js';

/** One taken slot. */
export interface Holder {
  /** When the slot was taken. */
  readonly sinceMs: number;
  /** When the lease ends unless it is renewed. Only ever raised. */
  expiresAtMs: number;
}

/**
 * The slots of one key and the queue for them: plain data, times in whole milliseconds on the store's clock.
 *
 * While there are waiters there is a holder, so that the expiry of the state, which holders alone set, covers both.
 */
export interface SemaphoreState extends AtomicState {
  /** The latest time that a step saw: when the store's clock steps back, the state's time stands still. */
  clockMs: number;
  /** No holder's lease ends before this. May be too early, because a release and a renewal leave it as it is. */
  nearestExpiryMs: number;
  /** By ticket id. An expired holder counts until a step that needs its slot removes it. */
  readonly holders: Map<string, Holder>;
  /** Undefined until somebody waits for the first time. */
  waiters: WaiterQueue | undefined;
}

/** What a hand-over is leased for until its new holder confirms it, see {@link handOverLease}. */
const HAND_OVER_MS = 1_000;

/** The lease of a slot that was handed over: short, so that a dead waiter costs a second, not a lease. */
export function handOverLease(leaseMs: number): number {
  return Math.min(leaseMs, HAND_OVER_MS);
}

/** What the first holder of a key starts from. */
export function createState(nowMs: number): SemaphoreState {
  return {
    expiresAtMs: nowMs,
    clockMs: nowMs,
    nearestExpiryMs: Infinity,
    holders: new Map(),
    waiters: undefined,
  };
}

/** The time of a step: the store's clock, never before an earlier step on the same state. */
export function stateTime(state: SemaphoreState, nowMs: number): number {
  return Math.max(nowMs, state.clockMs);
}

/**
 * Leases a slot, or extends the lease of one. The state outlives the lease by another one, so that a holder that comes late
 * still finds its entry.
 */
export function lease(
  state: SemaphoreState,
  id: string,
  nowMs: number,
  expiresAtMs: number,
  leaseMs: number,
): void {
  const held = state.holders.get(id);
  if (held === undefined) state.holders.set(id, { sinceMs: nowMs, expiresAtMs });
  else if (held.expiresAtMs < expiresAtMs) held.expiresAtMs = expiresAtMs;
  if (expiresAtMs < state.nearestExpiryMs) state.nearestExpiryMs = expiresAtMs;
  if (state.expiresAtMs < expiresAtMs + leaseMs) state.expiresAtMs = expiresAtMs + leaseMs;
}

/** Undefined, which deletes the key, once nobody holds or waits. */
export function keep(state: SemaphoreState): SemaphoreState | undefined {
  return state.holders.size === 0 && !hasWaiters(state) ? undefined : state;
}

export function hasWaiters(state: SemaphoreState): boolean {
  return state.waiters !== undefined && state.waiters.byId.size > 0;
}
