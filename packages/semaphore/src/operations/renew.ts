import type { AtomicOperation } from '@frontmcp/guard-core';

import { renewScript } from './lua/renew.js';
import { lease, stateTime, type SemaphoreState } from './semaphore-state.js';

/** The tickets of one process on one key. */
export interface RenewArgs {
  readonly ids: readonly string[];
  readonly leaseMs: number;
}

/**
 * Extends the lease of several tickets and says which of them no longer hold. Adds nothing; extends a lease that has ended
 * as long as nobody took the slot.
 */
export const renewOperation: AtomicOperation<SemaphoreState, RenewArgs, readonly string[]> = {
  name: 'semaphore.renew',
  script: renewScript,
  decide(state, { ids, leaseMs }, nowMs) {
    if (state === undefined) return { result: ids, admitted: false };
    const lost = ids.filter((id) => !state.holders.has(id));
    if (lost.length === ids.length) return { result: lost, admitted: false };
    return {
      result: lost,
      admitted: true,
      commit: () => {
        const now = stateTime(state, nowMs);
        state.clockMs = now;
        for (const id of ids) {
          if (state.holders.has(id)) lease(state, id, now, now + leaseMs, leaseMs);
        }
        return state;
      },
    };
  },
};
