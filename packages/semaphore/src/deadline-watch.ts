import { startIdleTimer, type Timer } from './timers.js';
import type { Wait } from './wait.js';

const SETTLE_MS = 50;

/**
 * Starts the deadline timer of waits whose first storage call takes long. Most calls are answered sooner, and those waits
 * cost no timer.
 */
export class DeadlineWatch {
  readonly #waits = new Set<Wait>();
  #timer: Timer | undefined = undefined;

  add(wait: Wait): void {
    if (wait.request.queueTimeoutMs <= SETTLE_MS) {
      wait.watch();
      return;
    }
    this.#waits.add(wait);
    this.#timer ??= startIdleTimer(() => {
      this.#timer = undefined;
      for (const late of this.#waits) late.watch();
      this.#waits.clear();
    }, SETTLE_MS);
  }

  remove(wait: Wait): void {
    this.#waits.delete(wait);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waits.clear();
  }
}
