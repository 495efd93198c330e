import { LeaseLostError } from './errors/lease-lost-error.js';
import { monotonicNow } from './timers.js';

/** A taken slot. It is held, its lease renewed, until it is released; `await using` releases it at the end of the block. */
export interface SemaphoreTicket extends AsyncDisposable {
  /** Unique in the whole system. */
  readonly id: string;
  /**
   * Aborts with a {@link LeaseLostError} when the slot is no longer held though nobody released the ticket. Never aborts
   * after a release.
   */
  readonly signal: AbortSignal;
  /**
   * Calls `listener` with the error that `signal` aborts with, in the same moment, once: at once when that was before. It costs a
   * tenth of what a signal does. Must not throw.
   *
   * @returns Stops listening.
   */
  onLost(listener: (reason: LeaseLostError) => void): () => void;
  /**
   * Gives the slot back. Never rejects: when the storage fails, the error is reported, the release is tried again in the
   * background until the lease has ended by itself, and the answer is false.
   *
   * @returns False when the ticket held no slot any more (released before, lost, taken by `forceReset`), or when the
   * storage could not say.
   */
  release(): Promise<boolean>;
}

/** Whom a ticket goes back to. */
export interface TicketOwner {
  /** Called once, for a ticket that was not released before. */
  takeBack(ticket: Ticket): Promise<boolean>;
}

const HELD = 0;
const RELEASED = 1;
const LOST = 2;

/** See {@link SemaphoreTicket}. A lease keeper holds its tickets in a list through `next` and `previous`. */
export class Ticket implements SemaphoreTicket {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  /** When to renew the lease, on the monotonic clock. */
  dueMs: number;
  /** When the lease ends unless it is renewed: counted from the sending of the last good renewal. */
  endsMs: number;
  /** False while the lease is the short one of a hand-over. */
  confirmed: boolean;
  next: Ticket | undefined = undefined;
  previous: Ticket | undefined = undefined;
  readonly #owner: TicketOwner;
  #state: typeof HELD | typeof RELEASED | typeof LOST = HELD;
  #controller: AbortController | undefined = undefined;
  #reason: LeaseLostError | undefined = undefined;
  #listeners: Set<(reason: LeaseLostError) => void> | undefined = undefined;

  constructor(
    owner: TicketOwner,
    id: string,
    key: string,
    name: string,
    dueMs: number,
    endsMs: number,
    confirmed: boolean,
  ) {
    this.#owner = owner;
    this.id = id;
    this.key = key;
    this.name = name;
    this.dueMs = dueMs;
    this.endsMs = endsMs;
    this.confirmed = confirmed;
  }

  get isHeld(): boolean {
    return this.#state === HELD;
  }

  get signal(): AbortSignal {
    this.#look();
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  onLost(listener: (reason: LeaseLostError) => void): () => void {
    this.#look();
    if (this.#reason !== undefined) {
      listener(this.#reason);
      return ignore;
    }
    const listeners = (this.#listeners ??= new Set());
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  release(): Promise<boolean> {
    if (this.#state === RELEASED) return Promise.resolve(false);
    const wasLost = this.#state === LOST;
    this.#state = RELEASED;
    const taken = this.#owner.takeBack(this);
    return wasLost ? taken.then(() => false) : taken;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }

  /** The slot is no longer held. Does nothing unless the ticket is. */
  lose(cause?: unknown): void {
    if (this.#state !== HELD) return;
    this.#state = LOST;
    this.#reason = new LeaseLostError(this.name, this.id, cause === undefined ? {} : { cause });
    for (const listener of this.#listeners ?? []) listener(this.#reason);
    this.#controller?.abort(this.#reason);
  }

  /** A lease that has ended is seen at first sight, also before the event loop comes to the timer. */
  #look(): void {
    if (this.#state === HELD && monotonicNow() >= this.endsMs) this.lose();
  }
}

function ignore(): void {
  return undefined;
}
