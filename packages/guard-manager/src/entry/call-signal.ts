import { ExecutionTimeoutError } from '@frontmcp/guard-timeout';

import type { Holding } from './admitted-call.js';

/** The longest delay a timer keeps, in ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * The signal of a call: aborts once, with the reason of whatever ends first of what it follows. Until it is disposed of its timer
 * keeps the process alive, and it leaves no listener on what lives longer than the call.
 */
export class CallSignal {
  readonly #controller = new AbortController();
  readonly #onAbort: ((reason: unknown) => void) | undefined;
  readonly #stops: (() => void)[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined = undefined;
  #isOver = false;

  /** @param onAbort Hears of the abort before the listeners of the signal do. */
  constructor(onAbort?: (reason: unknown) => void) {
    this.#onAbort = onAbort;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Aborts as a signal does. */
  follow(source: AbortSignal): void {
    if (source.aborted) {
      this.#abort(source.reason);
      return;
    }
    const listener = (): void => this.#abort(source.reason);
    source.addEventListener('abort', listener);
    this.#stops.push(() => source.removeEventListener('abort', listener));
  }

  /** Aborts when something that is held is lost. */
  hold(holding: Holding): void {
    if (this.#isOver) return;
    this.#stops.push(holding.onLost((reason) => this.#abort(reason)));
  }

  /** Aborts with an `ExecutionTimeoutError` when `ms` have passed since `startMs` on the monotonic clock, never early. */
  limit(entity: string, ms: number, startMs: number): void {
    if (this.#isOver || ms === Infinity) return;
    const leftMs = startMs + ms - performance.now();
    if (leftMs <= 0) {
      this.#abort(new ExecutionTimeoutError(entity, ms));
      return;
    }
    const again = (): void => this.limit(entity, ms, startMs);
    this.#timer = setTimeout(again, Math.min(Math.ceil(leftMs), MAX_TIMER_MS));
  }

  /** Aborts no more. */
  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    for (const stop of this.#stops) stop();
    this.#stops.length = 0;
  }

  #abort(reason: unknown): void {
    if (this.#isOver) return;
    this.dispose();
    this.#onAbort?.(reason);
    this.#controller.abort(reason);
  }
}
