import type { AtomicState } from '@frontmcp/guard-core';

import { PlainValue } from '../plain-value.js';
import type { EntryDecision } from './entry-calls.js';
import type { GuardObjectStorage } from './object-binding.js';

/** Where the entry of an object stands in its storage. */
const PLACE = 'entry';

/** How an entry is written: a class of its own would not survive. */
interface EntryRecord {
  readonly value?: string;
  readonly state?: AtomicState;
  readonly expiresAtMs: number;
  /** The clock when it was written: later steps are not before it, also when the object has moved to another machine. */
  readonly writtenAtMs: number;
  /** The key, for an object that has to sign out of the index. */
  readonly key?: string;
}

/**
 * The one entry of an object, in memory and in its storage. Nothing comes between a look at it and a write: once it is loaded
 * both are synchronous, and the runtime holds back every answer until what was written before it is safe.
 */
export class GuardObjectEntry {
  readonly #storage: GuardObjectStorage;
  readonly #keepsKey: boolean;
  #loading: Promise<void> | undefined;
  #entry: AtomicState | undefined;
  #key: string | undefined;
  #alarmAtMs: number | null = null;
  #clockMs = 0;

  /** @param keepsKey Whether the key is written with the entry. */
  constructor(storage: GuardObjectStorage, keepsKey: boolean) {
    this.#storage = storage;
    this.#keepsKey = keepsKey;
  }

  /** The key that the entry was written with, expired or not; undefined when there is none, or it is not kept. */
  get key(): string | undefined {
    return this.#entry === undefined ? undefined : this.#key;
  }

  /** Reads what there is, once. */
  load(): Promise<void> {
    return (this.#loading ??= this.#loadAgain());
  }

  /** Whole milliseconds that never go back, as long as there is an entry. */
  now(): number {
    return (this.#clockMs = Math.max(this.#clockMs, Date.now()));
  }

  /** Undefined when it is absent or expired. */
  at(nowMs: number): AtomicState | undefined {
    const entry = this.#entry;
    return entry !== undefined && entry.expiresAtMs > nowMs ? entry : undefined;
  }

  /**
   * Commits a decision that nothing was awaited since, and writes what comes of it: one `put`, and an alarm where none is due
   * early enough. No entry: one `delete`, after which an alarm that is due anyway finds nothing and clears the storage, or, when
   * none is due or the key was deleted by name, everything goes at once. When it fails, the entry is what it was before.
   *
   * @throws RangeError naming the key when the storage cannot hold that much.
   */
  async commit(decision: EntryDecision, key: string): Promise<void> {
    const had = this.#entry !== undefined;
    try {
      const entry = (this.#entry = decision.commit?.());
      if (entry !== undefined) await this.#put(entry, key);
      else if (had) await this.#drop(decision.isDeletion === true);
    } catch (error) {
      await this.#loadAgain();
      throw isTooLarge(error) ? tooLarge(error, key) : error;
    }
  }

  /** Clears the storage, and takes the alarm back. */
  async clear(): Promise<void> {
    this.#entry = undefined;
    const hadAlarm = this.#alarmAtMs !== null;
    this.#alarmAtMs = null;
    await Promise.all([hadAlarm && this.#storage.deleteAlarm(), this.#storage.deleteAll()]);
  }

  /**
   * The alarm of the object went off.
   *
   * @returns Whether nothing is left to keep, so that {@link GuardObjectEntry.clear} may be called.
   */
  async wake(): Promise<boolean> {
    await this.load();
    this.#alarmAtMs = null;
    const entry = this.at(this.now());
    if (entry !== undefined) await this.#wakeFor(entry);
    return entry === undefined;
  }

  async #drop(isDeletion: boolean): Promise<void> {
    if (isDeletion || this.#alarmAtMs === null) await this.clear();
    else await this.#storage.delete(PLACE);
  }

  #loadAgain(): Promise<void> {
    this.#loading = this.#load().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async #load(): Promise<void> {
    const [record, alarmAtMs] = await Promise.all([
      this.#storage.get(PLACE) as Promise<EntryRecord | undefined>,
      this.#storage.getAlarm(),
    ]);
    this.#alarmAtMs = alarmAtMs;
    this.#entry = record && entryOf(record);
    this.#key = record?.key;
    this.#clockMs = Math.max(this.#clockMs, record?.writtenAtMs ?? 0);
  }

  /** Not async up to its first write, so that both go in one turn. */
  #put(entry: AtomicState, key: string): Promise<unknown> {
    this.#key = this.#keepsKey ? key : undefined;
    const record: EntryRecord = {
      ...(entry instanceof PlainValue ? { value: entry.value } : { state: entry }),
      expiresAtMs: entry.expiresAtMs,
      writtenAtMs: this.#clockMs,
      ...(this.#keepsKey && { key }),
    };
    return Promise.all([this.#storage.put(PLACE, record), this.#wakeFor(entry)]);
  }

  async #wakeFor({ expiresAtMs }: AtomicState): Promise<void> {
    if (expiresAtMs === Infinity) return;
    if (this.#alarmAtMs !== null && this.#alarmAtMs <= expiresAtMs) return;
    this.#alarmAtMs = expiresAtMs;
    await this.#storage.setAlarm(expiresAtMs);
  }
}

function entryOf({ value, state, expiresAtMs }: EntryRecord): AtomicState | undefined {
  return value === undefined ? state : new PlainValue(value, expiresAtMs);
}

function tooLarge({ message }: Error, key: string): RangeError {
  return new RangeError(
    `What storage key "${key.slice(0, 64)}" would hold is too large for a Durable Object: ${message}`,
  );
}

/** What SQLite says of a value over 2 MB, and the storage without SQLite of one over 128 KiB. */
function isTooLarge(error: unknown): error is Error {
  return error instanceof Error && /too (?:large|big)|larger than|TOOBIG/i.test(error.message);
}
