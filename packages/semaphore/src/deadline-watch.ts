import { startIdleTimer, type Timer } from './timers.js';
import type { Wait } from './wait.js';

const SETTLE_MS = 50;

/**
 * Starts the deadline timers of waits that have not ended after a moment. Most get a slot by their first storage call, and
 * those cost no timer.
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
