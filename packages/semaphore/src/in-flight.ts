import { startTimer } from './timers.js';

/** Counts the calls that may take or give back something and have no answer yet. */
export class InFlight {
  #count = 0;
  #onNone: (() => void) | undefined = undefined;

  start(): void {
    this.#count++;
  }

  /** To be called once for each `start`, after what follows from the answer has been started. */
  end(): void {
    this.#count--;
    if (this.#count === 0) this.#onNone?.();
  }

  /** Resolves when there are none, or after `atMostMs`: a store may never answer. */
  none(atMostMs: number): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    const tellOthers = this.#onNone;
    return new Promise((resolve) => {
      const timer = startTimer(resolve, atMostMs);
      this.#onNone = () => {
        tellOthers?.();
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
