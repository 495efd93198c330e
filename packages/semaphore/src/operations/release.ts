import type { AtomicOperation } from '@frontmcp/guard-core';

import { hasWaiters, keep, stateTime, type SemaphoreState } from './semaphore-state.js';
import { applyShift, handOverMessages, planShift } from './shift.js';

/** One ticket. */
export interface ReleaseArgs {
  readonly id: string;
}

/** Gives a slot back and hands it to the next waiter. False, and no change, when the ticket does not hold one. */
export const releaseOperation: AtomicOperation<SemaphoreState, ReleaseArgs, boolean> = {
  name: 'semaphore.release',
  decide(state, { id }, nowMs) {
    if (state?.holders.has(id) !== true) return { result: false, admitted: false };
    if (!hasWaiters(state)) {
      return {
        result: true,
        admitted: true,
        commit: () => {
          if (state.holders.size === 1) return undefined;
          state.clockMs = stateTime(state, nowMs);
          state.holders.delete(id);
          return state;
        },
      };
    }
    const now = stateTime(state, nowMs);
    const options = { released: id };
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
  },
};
