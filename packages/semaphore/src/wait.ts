import { mayHaveHadEffect } from '@frontmcp/guard-core';

import type { Ticket } from './ticket.js';
import { monotonicNow, startTimer, type Timer } from './timers.js';

/** Why an acquire got no ticket: every slot is taken and it would not wait, the queue is full, or the wait was in vain. */
export type AcquireRefusal = 'full' | 'queue-full' | 'timeout';

/** What a {@link Wait} is for. */
export interface WaitRequest {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly max: number;
  readonly maxQueue: number;
  readonly queueTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * One caller that waits: a promise that is settled once, by a ticket, a refusal, the deadline, the caller's signal or an
 * error, whichever comes first. The deadline is one absolute time on the monotonic clock.
 */
export class Wait {
  request: WaitRequest;
  readonly deadlineMs: number;
  readonly promise: Promise<Ticket | AcquireRefusal>;
  /** The failure of the last storage call for this wait; undefined when it went well. */
  storageError: unknown = undefined;
  /** Whether a call that failed may have taken something for it. */
  mayHold = false;
  /** Whether an acquire for it is under way, whose outcome says what there is to take back. */
  isAsking = false;
  /** Set when a hand-over to it was announced before the reply that it stands in the queue. */
  hasEarlyNews = false;
  /** How often it was not found in the queue any more. */
  losses = 0;
  /** Whether its place in the queue says that this process listens. */
  isHeard = false;
  /** Set when it ended with a ticket. */
  ticket: Ticket | undefined = undefined;
  readonly #onSettled: (wait: Wait) => void;
  #resolve!: (outcome: Ticket | AcquireRefusal) => void;
  #reject!: (reason: unknown) => void;
  #isOpen = true;
  #timer: Timer | undefined = undefined;

  /** @param onSettled Called once, in the same tick as it settles. */
  constructor(request: WaitRequest, onSettled: (wait: Wait) => void) {
    this.request = request;
    this.deadlineMs = monotonicNow() + request.queueTimeoutMs;
    this.#onSettled = onSettled;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    request.signal?.addEventListener('abort', this.#onAbort);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** What is left of the wait, rounded up to whole ms. */
  get remainingMs(): number {
    return Math.max(Math.ceil(this.deadlineMs - monotonicNow()), 0);
  }

  /** Whether a call for it that failed may be sent again: an acquire takes one slot per id. Never for a try. */
  get hasTime(): boolean {
    return this.#isOpen && this.remainingMs > 0;
  }

  /** From now on it is asked for as another ticket, of which nothing is known. */
  rename(id: string): void {
    this.request = { ...this.request, id };
    this.mayHold = false;
    this.isHeard = false;
    this.hasEarlyNews = false;
  }

  /** An acquire for it went well: what it holds is known. */
  onReply(): void {
    this.isAsking = false;
    this.storageError = undefined;
    this.mayHold = false;
  }

  /** An acquire for it failed. */
  onFailure(error: unknown): void {
    this.isAsking = false;
    this.storageError = error;
    this.mayHold ||= mayHaveHadEffect(error);
  }

  /** Starts the timer of the deadline, which keeps the process alive. */
  watch(): void {
    if (!this.#isOpen || this.#timer !== undefined || this.deadlineMs === Infinity) return;
    this.#timer = startTimer(() => {
      this.#timer = undefined;
      if (monotonicNow() >= this.deadlineMs) this.expire();
      else this.watch();
    }, this.deadlineMs - monotonicNow());
  }

  /** Only on an open wait: a ticket must not get lost. */
  grant(ticket: Ticket): void {
    this.ticket = ticket;
    this.#settle();
    this.#resolve(ticket);
  }

  refuse(refusal: AcquireRefusal): void {
    if (!this.#isOpen) return;
    this.#settle();
    this.#resolve(refusal);
  }

  fail(reason: unknown): void {
    if (!this.#isOpen) return;
    this.#settle();
    this.#reject(reason);
  }

  /** The deadline has come: in vain, or, when the storage failed to the last, with its error. */
  expire(): void {
    if (this.storageError === undefined) this.refuse('timeout');
    else this.fail(this.storageError);
  }

  readonly #onAbort = (): void => this.fail(this.request.signal?.reason);

  #settle(): void {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.request.signal?.removeEventListener('abort', this.#onAbort);
    this.#onSettled(this);
  }
}
