import type { Subscription } from './subscription.js';
import type { Timer } from './timers.js';
import type { Wait } from './wait.js';

/** How long the first of a queue pauses between its calls: at first, and at most. */
export const SHORTEST_PAUSE_MS = 100;
export const LONGEST_PAUSE_MS = 1_000;

/** The waits of one key, in order of arrival. Only the first of them asks the store. */
export interface KeyQueue {
  readonly key: string;
  readonly waits: Set<Wait>;
  /** Its first was told that every slot is taken: from now on whoever comes waits, and a try is refused unasked. */
  isFull: boolean;
  subscription: Subscription | undefined;
  timer: Timer | undefined;
  pauseMs: number;
  /** Whom the store is being asked for. */
  askedFor: Wait | undefined;
  /** A slot was released while the store was being asked for the first. */
  asksAgain: boolean;
}

/** A queue in which one waits. */
export function createKeyQueue(wait: Wait): KeyQueue {
  return {
    key: wait.request.key,
    waits: new Set([wait]),
    isFull: false,
    subscription: undefined,
    timer: undefined,
    pauseMs: SHORTEST_PAUSE_MS,
    askedFor: undefined,
    asksAgain: false,
  };
}
