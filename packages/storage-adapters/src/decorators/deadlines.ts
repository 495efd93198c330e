/** One call that may take a while. */
interface Pending {
  readonly endsAtMs: number;
  readonly onTimeout: () => void;
  next: Pending | undefined;
  previous: Pending | undefined;
}

/** A timer that can be told whether it keeps the process alive. Not every platform has them. */
interface RefTimer {
  ref(): void;
  unref(): void;
}

/**
 * The deadlines of calls that may all take equally long, so that they end in the order in which they began, by one timer.
 *
 * The timer keeps the process alive while a call is pending. Making one for each call costs as much as a tenth of a round
 * trip, so it runs on after the last one, without keeping the process alive, and is gone once it finds nothing to do.
 */
export class Deadlines {
  readonly #timeoutMs: number;
  #first: Pending | undefined = undefined;
  #last: Pending | undefined = undefined;
  #timer: ReturnType<typeof setTimeout> | undefined = undefined;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** @returns Ends it: a call that was answered does not time out. */
  begin(onTimeout: () => void): () => void {
    const endsAtMs = performance.now() + this.#timeoutMs;
    const pending: Pending = { endsAtMs, onTimeout, next: undefined, previous: this.#last };
    if (this.#last === undefined) {
      this.#first = pending;
      this.#hold(this.#timeoutMs);
    } else {
      this.#last.next = pending;
    }
    this.#last = pending;
    return () => this.#remove(pending);
  }

  /** Leaves no timer behind, unless a call is pending. */
  stopIdle(): void {
    if (this.#first !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Has the timer keep the process alive; `delayMs` is for one that does not run yet. */
  #hold(delayMs: number): void {
    this.#timer ??= setTimeout(this.#onTimer, delayMs);
    if (isRefTimer(this.#timer)) this.#timer.ref();
  }

  readonly #onTimer = (): void => {
    this.#timer = undefined;
    const now = performance.now();
    for (let at = this.#first; at !== undefined && at.endsAtMs <= now; at = this.#first) {
      this.#remove(at);
      at.onTimeout();
    }
    if (this.#first === undefined) return;
    this.#hold(Math.max(1, Math.ceil(this.#first.endsAtMs - now)));
  };

  #remove(pending: Pending): void {
    const { next, previous } = pending;
    if (previous === undefined && this.#first !== pending) return;
    if (previous === undefined) this.#first = next;
    else previous.next = next;
    if (next === undefined) this.#last = previous;
    else next.previous = previous;
    pending.next = undefined;
    pending.previous = undefined;
    if (this.#first === undefined) this.#rest();
  }

  #rest(): void {
    if (isRefTimer(this.#timer)) this.#timer.unref();
    else this.stopIdle();
  }
}

function isRefTimer(timer: unknown): timer is RefTimer {
  return typeof timer === 'object';
}
