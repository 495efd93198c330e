/** The longest delay a timer keeps, in ms: it takes a longer one for 1 ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls back once when a time span has passed, never early and however long it is.
 *
 * A plain timer counts in whole milliseconds and may fire up to one before its time, and fires at once when the delay is
 * over 2³¹ − 1 ms. This one reads the monotonic clock when it fires and waits for what is left. It starts no timer for
 * `Infinity`. Its timer keeps the process alive until it has fired or {@link cancel} was called.
 */
export class Deadline {
  readonly #atMs: number;
  readonly #onPassed: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param ms The time span in milliseconds from now, positive; fractions count. */
  constructor(ms: number, onPassed: () => void) {
    this.#atMs = performance.now() + ms;
    this.#onPassed = onPassed;
    if (ms !== Infinity) this.#wait(ms);
  }

  /** Drops the timer. Does nothing when it has fired or was dropped before. */
  cancel(): void {
    clearTimeout(this.#timer);
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => this.#check(), Math.min(Math.ceil(ms), MAX_TIMER_MS));
  }

  #check(): void {
    const leftMs = this.#atMs - performance.now();
    if (leftMs > 0) this.#wait(leftMs);
    else this.#onPassed();
  }
}
