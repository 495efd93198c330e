/** One call that may take a while. */
interface Pending {
  readonly endsAtMs: number;
  readonly onTimeout: () => void;
  next: Pending | undefined;
  previous: Pending | undefined;
}

/**
 * The deadlines of calls that may all take equally long, so that they end in the order in which they began: one timer for all,
 * which is there while a call is pending.
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
    if (this.#last === undefined) this.#first = pending;
    else this.#last.next = pending;
    this.#last = pending;
    this.#timer ??= setTimeout(this.#onTimer, this.#timeoutMs);
    return () => this.#remove(pending);
  }

  readonly #onTimer = (): void => {
    this.#timer = undefined;
    const now = performance.now();
    for (let at = this.#first; at !== undefined && at.endsAtMs <= now; at = this.#first) {
      this.#remove(at);
      at.onTimeout();
    }
    if (this.#first === undefined) return;
    this.#timer ??= setTimeout(this.#onTimer, Math.max(1, Math.ceil(this.#first.endsAtMs - now)));
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
    if (this.#first !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
