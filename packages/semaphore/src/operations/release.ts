import type { AtomicOperation, Decision } from '@frontmcp/guard-core';

import { releaseScript } from './lua/release.js';
import { hasWaiters, stateTime, type SemaphoreState } from './semaphore-state.js';
import { leaveByShift } from './shift.js';

/** One ticket. */
export interface ReleaseArgs {
  readonly id: string;
}

/** Gives a slot back and hands it to the next waiter. False, and no change, when the ticket does not hold one. */
export const releaseOperation: AtomicOperation<SemaphoreState, ReleaseArgs, boolean> = {
  name: 'semaphore.release',
  script: releaseScript,
  decide(state, { id }, nowMs) {
    if (state?.holders.has(id) !== true) return { result: false, admitted: false };
    if (!hasWaiters(state)) return new Leave(state, id, nowMs);
    return leaveByShift(state, nowMs, { released: id });
  },
};

/** Gives a slot back that nobody waits for. A class, because it is made for most releases: see `Grant` in acquire.ts. */
class Leave implements Decision<SemaphoreState, boolean> {
  readonly result = true;
  readonly admitted = true;
  readonly #state: SemaphoreState;
  readonly #id: string;
  readonly #now: number;

  constructor(state: SemaphoreState, id: string, now: number) {
    this.#state = state;
    this.#id = id;
    this.#now = now;
  }

  commit(): SemaphoreState | undefined {
    const state = this.#state;
    if (state.holders.size === 1) return undefined;
    state.clockMs = stateTime(state, this.#now);
    state.holders.delete(this.#id);
    return state;
  }
}
