import { startUnrefTimer } from '../start-unref-timer.js';

/** What a {@link StorageHealth} is built of. */
export interface StorageHealthOptions {
  /** Asks the store whether it answers again. Never rejects. */
  probe(): Promise<boolean>;
  readonly probeIntervalMs: number;
  onDown(cause: unknown): void;
  onUp(): void;
}

/**
 * Whether a store is up or down. A failed call takes it down, a probe brings it up again, at most one per interval.
 *
 * Calls drive the probes: one that finds the store down arms the next probe, so that a down store that nobody calls costs
 * nothing. While calls come, probes run beside them and nobody waits. A call after a pause waits for its probe, so that it is
 * not refused for an outage that may be long over.
 */
export class StorageHealth {
  readonly #options: StorageHealthOptions;
  #outage: { readonly cause: unknown } | undefined;
  #changes = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #probing = false;
  #lookedAtMs = 0;

  constructor(options: StorageHealthOptions) {
    this.#options = options;
  }

  get isUp(): boolean {
    return this.#outage === undefined;
  }

  /** Why the store is down. */
  get cause(): unknown {
    return this.#outage?.cause;
  }

  /** How often the store went down or came up. */
  get changes(): number {
    return this.#changes;
  }

  /** Whether a call may go to the store now. */
  available(): boolean | Promise<boolean> {
    if (this.isUp) return true;
    if (this.#probing || this.#timer !== undefined) return false;
    const waitMs = this.#lookedAtMs + this.#options.probeIntervalMs - performance.now();
    if (waitMs <= 0) return this.#probe();
    this.#timer = startUnrefTimer(() => void this.#probe(), waitMs);
    return false;
  }

  /**
   * Takes the store down.
   *
   * @param seenChanges `changes` when the call was sent: what was sent before the last change says nothing about now.
   */
  failed(cause: unknown, seenChanges: number = this.#changes): void {
    if (!this.isUp || seenChanges !== this.#changes) return;
    this.#outage = { cause };
    this.#changes++;
    this.#lookedAtMs = performance.now();
    this.#options.onDown(cause);
  }

  /** Stops probing and forgets the outage. */
  reset(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.isUp) return;
    this.#outage = undefined;
    this.#changes++;
  }

  async #probe(): Promise<boolean> {
    const outage = this.#outage;
    this.#timer = undefined;
    this.#probing = true;
    const answers = await this.#options.probe();
    this.#probing = false;
    this.#lookedAtMs = performance.now();
    if (!answers || outage !== this.#outage) return false;
    this.#outage = undefined;
    this.#changes++;
    this.#options.onUp();
    return true;
  }
}
