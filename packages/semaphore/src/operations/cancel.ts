import type { AtomicOperation } from '@frontmcp/guard-core';

import { releaseOperation, type ReleaseArgs } from './release.js';
import { keep, stateTime, type SemaphoreState } from './semaphore-state.js';
import { applyShift, handOverMessages, planShift } from './shift.js';

/**
 * Takes a ticket back wherever it is: out of the queue, or, when a hand-over came first, out of its slot. False, and no
 * change, when it is in neither.
 */
export const cancelOperation: AtomicOperation<SemaphoreState, ReleaseArgs, boolean> = {
  name: 'semaphore.cancel',
  decide(state, args, nowMs) {
    if (state?.waiters?.byId.has(args.id) !== true)
      return releaseOperation.decide(state, args, nowMs);
    const now = stateTime(state, nowMs);
    const options = { cancelled: args.id };
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
