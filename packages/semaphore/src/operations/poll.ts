import type { AtomicOperation } from '@frontmcp/guard-core';

import { pollScript } from './lua/poll.js';
import { ASK_AGAIN_MS, retryAfter } from './retry-after.js';
import { lease, stateTime, type SemaphoreState } from './semaphore-state.js';
import { applyShift, handOverMessages, isWorthWriting, planShift } from './shift.js';

/** The waiters of one process that ask what became of them. */
export interface PollArgs {
  readonly ids: readonly string[];
  readonly leaseMs: number;
  /** Whether their process follows its channel, which those of them that still wait are marked with from now on. */
  readonly isListening: boolean;
}

/** What became of them; who is in neither list still waits. */
export interface PollReply {
  /** They hold a slot, and their lease starts anew with this step. */
  readonly granted: readonly string[];
  /** They hold nothing and are not in the queue: passed over, or the data was lost. */
  readonly missing: readonly string[];
  /** The time of the step on the state's clock. */
  readonly nowMs: number;
  /** When to ask again if nothing is heard. */
  readonly retryAfterMs: number;
}

/**
 * Asks for several waiters at once whether a hand-over to them got lost, and gives the slots of dead holders to whoever is
 * next. Never adds a ticket.
 */
export const pollOperation: AtomicOperation<SemaphoreState, PollArgs, PollReply> = {
  name: 'semaphore.poll',
  script: pollScript,
  decide(state, { ids, leaseMs, isListening }, nowMs) {
    if (state === undefined) {
      const result = { granted: [], missing: ids, nowMs, retryAfterMs: ASK_AGAIN_MS };
      return { result, admitted: false };
    }
    const now = stateTime(state, nowMs);
    const { holders, waiters } = state;
    const held = new Set(ids.filter((id) => holders.has(id)));
    const shift = planShift(state, now, { renewed: held });
    const promoted = new Set(shift.promoted.map(({ waiter }) => waiter.id));
    const granted = ids.filter((id) => held.has(id) || promoted.has(id));
    const gone = new Set(shift.gone);
    const missing = ids.filter(
      (id) =>
        !held.has(id) && !promoted.has(id) && (waiters?.byId.has(id) !== true || gone.has(id)),
    );
    const apart = new Set([...granted, ...missing]);
    const unheard = isListening ? ids.filter((id) => !apart.has(id) && isUnheard(state, id)) : [];
    const leasedUntilMs = granted.length > 0 ? now + leaseMs : Infinity;
    const retryAfterMs = retryAfter(state, shift, now, leasedUntilMs);
    const result = { granted, missing, nowMs: now, retryAfterMs };
    if (granted.length === 0 && unheard.length === 0 && !isWorthWriting(shift)) {
      return { result, admitted: false };
    }
    const own = new Set(ids);
    return {
      result,
      admitted: granted.length > 0,
      publish: handOverMessages(shift, (id) => own.has(id)),
      commit: () => {
        applyShift(state, shift, now);
        if (granted.length > 0) state.clockMs = now;
        for (const id of granted) lease(state, id, now, now + leaseMs, leaseMs);
        for (const id of unheard) hear(state, id);
        return state.holders.size === 0 ? undefined : state;
      },
    };
  },
};

function isUnheard({ waiters }: SemaphoreState, id: string): boolean {
  return waiters?.byId.get(id)?.isListening === false;
}

function hear({ waiters }: SemaphoreState, id: string): void {
  const waiter = waiters?.byId.get(id);
  if (waiter !== undefined) waiter.isListening = true;
}
