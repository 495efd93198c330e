import type { AtomicOperation, Decision } from '@frontmcp/guard-core';

import { acquireScript } from './lua/acquire.js';
import { retryAfter } from './retry-after.js';
import {
  createState,
  hasWaiters,
  keep,
  lease,
  stateTime,
  type SemaphoreState,
} from './semaphore-state.js';
import { applyShift, handOverMessages, isWorthWriting, planShift, type Shift } from './shift.js';
import { createWaiterQueue, enqueue } from './waiter-queue.js';

/** What an acquire asks for. */
export interface AcquireArgs {
  /** The ticket: `<process id>.<count>`. Asking twice with one id takes one slot. */
  readonly id: string;
  readonly max: number;
  readonly leaseMs: number;
  /** How long to wait in the queue; 0 for not at all, Infinity for ever. */
  readonly waitMs: number;
  /** How many may wait; Infinity for any number. */
  readonly maxQueue: number;
  /**
   * Whether the process of the ticket follows its channel already. If so, and if nobody hears a hand-over to the waiter, a
   * store that can tell takes it for dead. A waiter that asks again keeps what it queued with.
   */
  readonly isListening: boolean;
}

/** An acquire that takes a slot at once or not at all. */
export function tryArgs(id: string, max: number, leaseMs: number): AcquireArgs {
  return { id, max, leaseMs, waitMs: 0, maxQueue: 0, isListening: false };
}

/** What an acquire gives. */
export type AcquireReply =
  | { readonly status: 'granted' | 'full' | 'queue-full' }
  | {
      readonly status: 'queued';
      /** The time of the step on the state's clock. */
      readonly nowMs: number;
      /** When to ask again if nothing is heard. */
      readonly retryAfterMs: number;
    };

const GRANTED: AcquireReply = { status: 'granted' };
const FULL: AcquireReply = { status: 'full' };
const QUEUE_FULL: AcquireReply = { status: 'queue-full' };

type AcquireDecision = Decision<SemaphoreState, AcquireReply>;

/**
 * Takes a slot, or a place in the queue. Whoever waits already is served first. A ticket that holds has its lease renewed,
 * also when it has expired and nobody took the slot; one that waits keeps its place.
 */
export const acquireOperation: AtomicOperation<SemaphoreState, AcquireArgs, AcquireReply> = {
  name: 'semaphore.acquire',
  script: acquireScript,
  decide(state, args, nowMs) {
    if (state === undefined) return new Grant(undefined, args, nowMs);
    const now = stateTime(state, nowMs);
    const { holders } = state;
    const alone = !hasWaiters(state);
    if ((alone && holders.size < args.max) || holders.has(args.id))
      return new Grant(state, args, now);
    if (alone && state.nearestExpiryMs > now && args.waitMs <= 0) {
      return { result: FULL, admitted: false };
    }
    return decideByQueue(state, args, now);
  },
};

/** A class rather than a literal with a closure: it is made for every slot, and this is one object instead of three. */
class Grant implements AcquireDecision {
  readonly admitted = true;
  readonly result = GRANTED;
  readonly #state: SemaphoreState | undefined;
  readonly #args: AcquireArgs;
  readonly #now: number;

  constructor(state: SemaphoreState | undefined, args: AcquireArgs, now: number) {
    this.#state = state;
    this.#args = args;
    this.#now = now;
  }

  commit(): SemaphoreState {
    const { id, leaseMs } = this.#args;
    const state = this.#state ?? createState(this.#now);
    state.clockMs = this.#now;
    lease(state, id, this.#now, this.#now + leaseMs, leaseMs);
    return state;
  }
}

function decideByQueue(state: SemaphoreState, args: AcquireArgs, now: number): AcquireDecision {
  const shift = planShift(state, now);
  const isOwn = (id: string): boolean => id === args.id;
  const publish = handOverMessages(shift, isOwn);
  const own = shift.promoted.some(({ waiter }) => waiter.id === args.id);
  if (own || (shift.queued === 0 && shift.live < args.max)) {
    const commit = (): SemaphoreState => {
      applyShift(state, shift, now);
      state.clockMs = now;
      lease(state, args.id, now, now + args.leaseMs, args.leaseMs);
      return state;
    };
    return { result: GRANTED, admitted: true, commit, publish };
  }
  const commit = (): SemaphoreState | undefined => {
    applyShift(state, shift, now);
    return keep(state);
  };
  const isQueued = state.waiters?.byId.has(args.id) === true && !shift.gone.includes(args.id);
  if (!isQueued && (args.waitMs <= 0 || shift.queued >= args.maxQueue)) {
    const result = args.waitMs <= 0 ? FULL : QUEUE_FULL;
    return { result, admitted: false, ...(isWorthWriting(shift) && { commit, publish }) };
  }
  const result = queuedReply(state, shift, now);
  if (isQueued)
    return { result, admitted: false, ...(isWorthWriting(shift) && { commit, publish }) };
  return {
    result,
    admitted: false,
    publish,
    commit: () => {
      applyShift(state, shift, now);
      state.clockMs = now;
      const { id, max, leaseMs, waitMs, isListening } = args;
      const untilMs = now + waitMs;
      const waiter = { id, max, leaseMs, untilMs, isListening };
      enqueue((state.waiters ??= createWaiterQueue()), waiter);
      return state;
    },
  };
}

function queuedReply(state: SemaphoreState, shift: Shift, nowMs: number): AcquireReply {
  return { status: 'queued', nowMs, retryAfterMs: retryAfter(state, shift, nowMs) };
}
