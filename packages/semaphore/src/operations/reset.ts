import type { AtomicOperation } from '@frontmcp/guard-core';

import { resetScript } from './lua/reset.js';
import { keep, stateTime, type SemaphoreState } from './semaphore-state.js';
import { applyShift, handOverMessages, planShift } from './shift.js';

/** Takes every slot away, hands them to waiters, and says how many were taken. */
export const resetOperation: AtomicOperation<SemaphoreState, undefined, number> = {
  name: 'semaphore.reset',
  script: resetScript,
  decide(state, _args, nowMs) {
    if (state === undefined) return { result: 0, admitted: true };
    const now = stateTime(state, nowMs);
    const shift = planShift({ ...state, holders: new Map(), nearestExpiryMs: Infinity }, now);
    return {
      result: state.holders.size,
      admitted: true,
      publish: handOverMessages(shift),
      commit: () => {
        state.holders.clear();
        state.nearestExpiryMs = Infinity;
        state.clockMs = now;
        applyShift(state, shift, now);
        return keep(state);
      },
    };
  },
};
