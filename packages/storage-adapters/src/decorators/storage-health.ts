import { startUnrefTimer } from '../start-unref-timer.js';

/** What a {@link StorageHealth} is built of. */
export interface StorageHealthOptions {
  /**
   * Asks the store whether it answers again, or the part of it that holds a key. Never rejects.
   *
   * @param key What the call was about that took it down.
   */
  probe(key: string | undefined): Promise<boolean>;
  readonly probeIntervalMs: number;
  /** @param part What is down; undefined for the whole store. */
  onDown(cause: unknown, part: string | undefined): void;
  onUp(part: string | undefined): void;
  /** The parts of a store that fail each on its own, by a key that they hold. Absent: it fails as a whole. */
  readonly partOf?: ((key: string) => string | undefined) | undefined;
}

/** A store that is down, or a part of it. */
interface Outage {
  readonly part: string | undefined;
  readonly cause: unknown;
  readonly key: string | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
  probing: boolean;
  lookedAtMs: number;
}

/**
 * Whether a store is up or down, or each of its parts. A failed call takes it down, a probe brings it up again, at most one per
 * interval.
 *
 * Calls drive the probes: one that finds the store down arms the next probe, so that a down store that nobody calls costs
 * nothing. While calls come, probes run beside them and nobody waits. A call after a pause waits for its probe, so that it is
 * not refused for an outage that may be long over.
 *
 * A call about several parts is sent whatever their state, and its failure takes none down: nobody knows which it was.
 */
export class StorageHealth {
  readonly #options: StorageHealthOptions;
  readonly #outages = new Map<string | undefined, Outage>();
  /** What `changes` was after the last change of a part: as many as have ever been down. */
  readonly #changedAt = new Map<string | undefined, number>();
  #changes = 0;

  constructor(options: StorageHealthOptions) {
    this.#options = options;
  }

  /** Why the store is down, or the part of it that holds the key. */
  cause(key?: string): unknown {
    return this.#outages.get(this.#partOf(key))?.cause;
  }

  /** How often the store, or a part of it, went down or came up. */
  get changes(): number {
    return this.#changes;
  }

  /** Whether a call may go to the store now. */
  available(key?: string): boolean | Promise<boolean> {
    if (this.#outages.size === 0) return true;
    this.#endMoved();
    const outage = this.#outages.get(this.#partOf(key));
    if (outage === undefined) return true;
    if (outage.probing || outage.timer !== undefined) return false;
    const waitMs = outage.lookedAtMs + this.#options.probeIntervalMs - performance.now();
    if (waitMs <= 0) return this.#probe(outage);
    outage.timer = startUnrefTimer(() => void this.#probe(outage), waitMs);
    return false;
  }

  /**
   * Takes the store down, or the part of it that holds the key.
   *
   * @param seenChanges `changes` when the call was sent: what was sent before the last change of that part says nothing about now.
   */
  failed(cause: unknown, key?: string, seenChanges: number = this.#changes): void {
    if (key === undefined && this.#options.partOf !== undefined) return;
    const part = this.#partOf(key);
    if (this.#outages.has(part) || seenChanges < (this.#changedAt.get(part) ?? 0)) return;
    const lookedAtMs = performance.now();
    this.#outages.set(part, { part, cause, key, timer: undefined, probing: false, lookedAtMs });
    this.#noteChange(part);
    this.#options.onDown(cause, part);
  }

  /** Stops probing and forgets all outages. */
  reset(): void {
    for (const outage of this.#outages.values()) this.#end(outage);
  }

  #partOf(key: string | undefined): string | undefined {
    return key === undefined ? undefined : this.#options.partOf?.(key);
  }

  /** What a part was down for is over when another one holds its key, such as a replica that took the place of its master. */
  #endMoved(): void {
    for (const outage of this.#outages.values()) {
      const part = this.#partOf(outage.key);
      if (part === undefined || part === outage.part) continue;
      this.#end(outage);
      this.#options.onUp(outage.part);
    }
  }

  #end(outage: Outage): void {
    clearTimeout(outage.timer);
    this.#outages.delete(outage.part);
    this.#noteChange(outage.part);
  }

  #noteChange(part: string | undefined): void {
    this.#changes++;
    this.#changedAt.set(part, this.#changes);
  }

  async #probe(outage: Outage): Promise<boolean> {
    outage.timer = undefined;
    outage.probing = true;
    const answers = await this.#options.probe(outage.key);
    outage.probing = false;
    outage.lookedAtMs = performance.now();
    if (!answers || this.#outages.get(outage.part) !== outage) return false;
    this.#end(outage);
    this.#options.onUp(outage.part);
    return true;
  }
}
