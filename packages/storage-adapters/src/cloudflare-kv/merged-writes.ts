import type { KvEntries, KvEntry, KvKeyed } from './kv-entries.js';

/** How many keys are remembered before those that no longer matter are looked for. */
const SWEEP_SIZE = 1000;

/** What {@link MergedWrites} works with. */
export interface MergedWritesOptions {
  readonly entries: KvEntries;
  /** How far apart two writes of one key are, in ms. 0: nothing is merged or remembered. */
  readonly intervalMs: number;
  /** Hears of the end of a write that nobody waits for. */
  readonly waitUntil: (written: Promise<void>) => void;
  /** Hears of a write that nobody waits for and that failed. */
  readonly onLost: (error: unknown, key: string) => void;
}

interface Recent {
  readonly keyed: KvKeyed;
  entry: KvEntry | undefined;
  /** When the last write of it was answered, or begun while it is not: KV counts from when it made it, which is in between. */
  writtenAtMs: number;
  /** Whether `entry` is yet to be written. */
  isDue: boolean;
}

/**
 * Entries of which each is written once in an interval: KV refuses a second write of a key within a second. A write that comes
 * too early is kept, the newest instead of those before it, and written when the interval is over; until then reads here see it,
 * and nobody else does. Not before `intervalMs` after a write is KV asked what is under a key: it would not know yet.
 *
 * No call waits for what another one has begun, which workerd forbids between requests. A write that is due when the runtime
 * drops its timer, because the request is over, is made by the next write of the key.
 */
export class MergedWrites {
  readonly #options: MergedWritesOptions;
  readonly #recent = new Map<string, Recent>();
  #sweepSize = SWEEP_SIZE;

  constructor(options: MergedWritesOptions) {
    this.#options = options;
  }

  /** Undefined for an absent or expired one. Between its end and a write in the same tick nothing comes. */
  async read(keyed: KvKeyed): Promise<KvEntry | undefined> {
    if (!this.#isFresh(keyed)) {
      const read = await this.#options.entries.read(keyed);
      if (!this.#isFresh(keyed)) return read;
    }
    const entry = this.#recent.get(keyed.name)?.entry;
    return entry !== undefined && entry.expiresAtMs > Date.now() ? entry : undefined;
  }

  /** Undefined deletes it. */
  async write(keyed: KvKeyed, entry: KvEntry | undefined): Promise<void> {
    const { intervalMs, entries, waitUntil } = this.#options;
    if (intervalMs === 0) return entries.write(keyed, entry);
    const recent = this.#recent.get(keyed.name);
    const waitMs = recent === undefined ? 0 : this.#waitMsOf(recent);
    if (recent !== undefined && waitMs > 0) {
      const isPlanned = recent.isDue;
      Object.assign(recent, { entry, isDue: true });
      if (!isPlanned) waitUntil(this.#writeInTime(recent));
      return;
    }
    this.#sweep();
    const written: Recent = { keyed, entry, writtenAtMs: Date.now(), isDue: false };
    this.#recent.set(keyed.name, written);
    try {
      await entries.write(keyed, entry);
      written.writtenAtMs = Date.now();
    } catch (error) {
      if (!written.isDue && this.#recent.get(keyed.name) === written) {
        this.#recent.delete(keyed.name);
      }
      throw error;
    }
  }

  /** The keys that begin with `prefix`. */
  async keys(prefix: string): Promise<string[]> {
    const found = await this.#options.entries.list(prefix);
    const now = Date.now();
    for (const { keyed, entry } of this.#recent.values()) {
      if (!this.#isFresh(keyed)) continue;
      if (entry === undefined || entry.expiresAtMs <= now) found.delete(keyed.name);
      else if (keyed.key.startsWith(prefix)) found.set(keyed.name, keyed.key);
    }
    return [...found.values()];
  }

  /** Resolves when all that was due is written, and forgets everything. */
  async close(): Promise<void> {
    const due = [...this.#recent.values()].filter(({ isDue }) => isDue);
    await Promise.all(due.map((recent) => this.#writeInTime(recent)));
    this.#recent.clear();
  }

  /** Whether what is remembered of a key is newer than what KV says. */
  #isFresh({ name }: KvKeyed): boolean {
    const recent = this.#recent.get(name);
    if (recent === undefined) return false;
    return recent.isDue || Date.now() < recent.writtenAtMs + this.#options.intervalMs;
  }

  /** Writes what is due by then once the interval is over. Never rejects. */
  async #writeInTime(recent: Recent): Promise<void> {
    let waitMs = this.#waitMsOf(recent);
    do {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      waitMs = this.#waitMsOf(recent);
    } while (recent.isDue && waitMs > 0);
    await this.#writeDue(recent);
  }

  /** How long a next write has to wait. */
  #waitMsOf({ writtenAtMs }: Recent): number {
    return writtenAtMs + this.#options.intervalMs - Date.now();
  }

  async #writeDue(recent: Recent): Promise<void> {
    const { keyed, entry, isDue } = recent;
    if (!isDue || this.#recent.get(keyed.name) !== recent) return;
    Object.assign(recent, { isDue: false, writtenAtMs: Date.now() });
    try {
      await this.#options.entries.write(keyed, entry);
      recent.writtenAtMs = Date.now();
    } catch (error) {
      this.#options.onLost(error, keyed.key);
    }
  }

  /** Forgets what was written long ago, and what was due and dropped, once there is much of it. */
  #sweep(): void {
    if (this.#recent.size < this.#sweepSize) return;
    const before = Date.now() - 2 * this.#options.intervalMs;
    for (const [name, { writtenAtMs }] of this.#recent) {
      if (writtenAtMs < before) this.#recent.delete(name);
    }
    this.#sweepSize = Math.max(SWEEP_SIZE, 2 * this.#recent.size);
  }
}
