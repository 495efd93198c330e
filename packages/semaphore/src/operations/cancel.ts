import type { AtomicOperation } from '@frontmcp/guard-core';

import { cancelScript } from './lua/release.js';
import { releaseOperation, type ReleaseArgs } from './release.js';
import type { SemaphoreState } from './semaphore-state.js';
import { leaveByShift } from './shift.js';

/**
 * Takes a ticket back wherever it is: out of the queue, or, when a hand-over came first, out of its slot. False, and no
 * change, when it is in neither.
 */
export const cancelOperation: AtomicOperation<SemaphoreState, ReleaseArgs, boolean> = {
  name: 'semaphore.cancel',
  script: cancelScript,
  decide(state, args, nowMs) {
    if (state?.waiters?.byId.has(args.id) !== true)
      return releaseOperation.decide(state, args, nowMs);
    return leaveByShift(state, nowMs, { cancelled: args.id });
  },
};
