import { isDisconnected } from './is-disconnected.js';
import type { InFlight } from './in-flight.js';
import { monotonicNow, startIdleTimer, type Timer } from './timers.js';

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;

/** Told of every failure that no caller hears of. Must not throw. */
export type Report = (error: unknown, what: string) => void;

/** Work that nobody waits for. */
export interface BackgroundWork {
  /** Said when it fails: `Cannot release …`. */
  readonly what: string;
  readonly run: () => Promise<unknown>;
  /** When to run it once more if it found nothing to do, which is an answer of false. Absent: not at all. */
  readonly againAfterMs?: number | undefined;
  /** How long it is worth trying. */
  readonly forMs: number;
  /** Called when it has succeeded, or is given up. */
  readonly onDone: () => void;
}

/** Tries work again, with back-off, until it succeeds, no longer matters, or the storage is disconnected. */
export class Background {
  readonly #report: Report;
  readonly #inFlight: InFlight;
  readonly #timers = new Set<Timer>();
  #isStopped = false;

  constructor(report: Report, inFlight: InFlight) {
    this.#report = report;
    this.#inFlight = inFlight;
  }

  run(work: BackgroundWork): void {
    void this.#attempt(work, monotonicNow() + work.forMs, FIRST_RETRY_MS);
  }

  /** For work whose first attempt failed just now. */
  retry(work: BackgroundWork): void {
    this.#again(work, monotonicNow() + work.forMs, FIRST_RETRY_MS);
  }

  /** Tries nothing again. */
  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  async #attempt(work: BackgroundWork, untilMs: number, delayMs: number): Promise<void> {
    this.#inFlight.start();
    try {
      const hasDone = (await work.run()) !== false;
      if (hasDone || work.againAfterMs === undefined) work.onDone();
      else this.#again({ ...work, againAfterMs: undefined }, untilMs, work.againAfterMs);
    } catch (error) {
      this.#report(error, work.what);
      if (isDisconnected(error)) work.onDone();
      else this.#again(work, untilMs, delayMs);
    } finally {
      this.#inFlight.end();
    }
  }

  #again(work: BackgroundWork, untilMs: number, delayMs: number): void {
    if (this.#isStopped || monotonicNow() + delayMs >= untilMs) {
      work.onDone();
      return;
    }
    const timer = startIdleTimer(() => {
      this.#timers.delete(timer);
      void this.#attempt(work, untilMs, Math.min(delayMs * 2, LONGEST_RETRY_MS));
    }, delayMs);
    this.#timers.add(timer);
  }
}
