import type { AtomicOperation } from '@frontmcp/guard-core';

import { inspectScript } from './lua/inspect.js';
import { stateTime, type SemaphoreState } from './semaphore-state.js';

/** Whether to list the holders or only to count them. */
export interface InspectArgs {
  readonly list: boolean;
}

/** One live holder. */
export interface HolderReport {
  /** The `id` of its ticket. */
  readonly ticketId: string;
  /** How long it holds its slot, in ms. Absent on plain storage. */
  readonly ageMs?: number;
  /** How long it goes on holding it without a renewal, in ms. Absent on plain storage. */
  readonly remainingLeaseMs?: number;
}

/** What a key looks like now. */
export interface InspectReply {
  readonly active: number;
  /** Those whose process died stay in it until it is their turn. */
  readonly queueLength: number;
  /** In no order; empty when only the count was asked for. */
  readonly holders: readonly HolderReport[];
}

/** Looks, and changes nothing. A holder whose lease has ended does not count. */
export const inspectOperation: AtomicOperation<SemaphoreState, InspectArgs, InspectReply> = {
  name: 'semaphore.inspect',
  script: inspectScript,
  decide(state, { list }, nowMs) {
    if (state === undefined) {
      return { result: { active: 0, queueLength: 0, holders: [] }, admitted: true };
    }
    const now = stateTime(state, nowMs);
    const holders: HolderReport[] = [];
    let active = 0;
    for (const [ticketId, { sinceMs, expiresAtMs }] of state.holders) {
      if (expiresAtMs <= now) continue;
      active++;
      if (list) {
        holders.push({ ticketId, ageMs: now - sinceMs, remainingLeaseMs: expiresAtMs - now });
      }
    }
    return {
      result: { active, queueLength: state.waiters?.byId.size ?? 0, holders },
      admitted: true,
    };
  },
};
