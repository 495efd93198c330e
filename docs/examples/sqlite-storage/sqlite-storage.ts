/* eslint-disable @typescript-eslint/require-await -- what a synchronous database throws has to become a rejection */
import type { DatabaseSync } from 'node:sqlite';
import { deserialize, serialize } from 'node:v8';

import {
  assertStorageKey,
  GuardStorageUnavailableError,
  GuardStorageUnsupportedError,
  type AtomicCall,
  type AtomicOperation,
  type AtomicState,
  type SetEntry,
  type SetOptions,
  type StorageAdapter,
  type Unsubscribe,
} from '@frontmcp/guard-core';

/** What stands under a key: a string of the plain calls, or the state of an atomic step. */
interface Entry {
  readonly value?: string;
  readonly state?: AtomicState;
  /** Infinity for a key that lives for ever. */
  readonly expiresAtMs: number;
}

/** A guard's storage in a SQLite file, which all processes of one machine can share. */
export class SqliteStorage implements StorageAdapter {
  readonly #database: DatabaseSync;
  #connected = false;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async connect(): Promise<void> {
    // With a log beside it the file is written without waiting for the disk; a crash of the machine may cost the newest counts.
    this.#database.exec('PRAGMA busy_timeout = 5000');
    this.#database.exec('PRAGMA journal_mode = WAL');
    this.#database.exec('PRAGMA synchronous = NORMAL');
    this.#database.exec(
      'CREATE TABLE IF NOT EXISTS guard (key TEXT PRIMARY KEY, entry BLOB, expires REAL) STRICT',
    );
    this.#database.exec('CREATE INDEX IF NOT EXISTS guard_expires ON guard (expires)');
    this.#connected = true;
  }

  /** The database is the caller's, so it stays open. */
  async disconnect(): Promise<void> {
    this.#connected = false;
  }

  async ping(): Promise<boolean> {
    return this.#connected && this.#database.isOpen;
  }

  async get(key: string): Promise<string | null> {
    return this.#step([key], () => stringOf(this.#read(key), key));
  }

  async set(key: string, value: string, options: SetOptions = {}): Promise<boolean> {
    const { ifNotExists = false, ifExists = false } = options;
    const entry = entryOf(value, options);
    return this.#step([key], () => {
      if (this.#read(key) === undefined ? ifExists : ifNotExists) return false;
      this.#write(key, entry);
      return true;
    });
  }

  async delete(key: string): Promise<boolean> {
    return this.#step([key], () => this.#remove(key));
  }

  async exists(key: string): Promise<boolean> {
    return this.#step([key], () => this.#read(key) !== undefined);
  }

  async mget(keys: readonly string[]): Promise<(string | null)[]> {
    return this.#step(keys, () => keys.map((key) => stringOf(this.#read(key), key)));
  }

  async mset(entries: readonly SetEntry[]): Promise<void> {
    const written = entries.map(
      ({ key, value, options }) => [key, entryOf(value, options)] as const,
    );
    if (
      entries.some(({ options = {} }) => options.ifNotExists === true || options.ifExists === true)
    ) {
      throw new TypeError('mset has no conditions');
    }
    const keys = entries.map(({ key }) => key);
    this.#step(keys, () => {
      for (const [key, entry] of written) this.#write(key, entry);
    });
  }

  async mdelete(keys: readonly string[]): Promise<number> {
    return this.#step(keys, () => keys.filter((key) => this.#remove(key)).length);
  }

  async expire(key: string, ttlSeconds: number): Promise<boolean> {
    const ttlMs = positive(Math.ceil(ttlSeconds * 1000), 'ttlSeconds');
    return this.#step([key], () => this.#expire(key, this.#read(key), ttlMs));
  }

  async ttl(key: string): Promise<number | null> {
    return this.#step([key], () => {
      const entry = this.#read(key);
      if (entry === undefined) return null;
      const { expiresAtMs } = entry;
      return expiresAtMs === Infinity ? -1 : Math.ceil((expiresAtMs - Date.now()) / 1000);
    });
  }

  async keys(pattern = '*'): Promise<string[]> {
    const glob = globOf(pattern);
    return this.#step([], () =>
      this.#database
        .prepare('SELECT key FROM guard WHERE expires > ?')
        .all(Date.now())
        .map(({ key }) => String(key))
        .filter((key) => glob.test(key)),
    );
  }

  async count(pattern?: string): Promise<number> {
    return (await this.keys(pattern)).length;
  }

  incr(key: string): Promise<number> {
    return this.incrBy(key, 1);
  }

  decr(key: string): Promise<number> {
    return this.incrBy(key, -1);
  }

  async incrBy(key: string, amount: number): Promise<number> {
    return this.#step([key], () => {
      const entry = this.#read(key);
      const held = stringOf(entry, key) ?? '0';
      const sum = Number(held) + amount;
      if (!/^(?:0|-?[1-9]\d*)$/.test(held) || !Number.isSafeInteger(sum)) {
        throw new TypeError(`Cannot add ${amount} to storage key "${key}": not a safe integer`);
      }
      this.#write(key, { value: String(sum), expiresAtMs: entry?.expiresAtMs ?? Infinity });
      return sum;
    });
  }

  async compareAndDelete(key: string, expected: string): Promise<boolean> {
    return this.#step(
      [key],
      () => stringOf(this.#read(key), key) === expected && this.#remove(key),
    );
  }

  async compareAndExpire(key: string, expected: string, ttlSeconds: number): Promise<boolean> {
    const ttlMs = positive(Math.ceil(ttlSeconds * 1000), 'ttlSeconds');
    return this.#step([key], () => {
      const entry = this.#read(key);
      return stringOf(entry, key) === expected && this.#expire(key, entry, ttlMs);
    });
  }

  /** A step of a limiter: look, decide, write, with nothing in between. */
  async execute<S extends AtomicState, A, R>(
    operation: AtomicOperation<S, A, R>,
    key: string,
    args: A,
  ): Promise<R> {
    const [result] = await this.executeTogether([{ operation, key, args }]);
    return result as R;
  }

  /** Decides all steps, and commits all or none. */
  async executeTogether(calls: readonly AtomicCall[]): Promise<unknown[]> {
    const keys = calls.map(({ key }) => key);
    if (new Set(keys).size < keys.length) throw new TypeError('Keys taken together must differ');
    return this.#step(keys, () => {
      const nowMs = Date.now();
      const decisions = calls.map(({ operation, key, args }) =>
        operation.decide(stateOf(this.#read(key), key), args, nowMs),
      );
      const isCommitted = calls.length === 1 || decisions.every(({ admitted }) => admitted);
      for (const [index, decision] of decisions.entries()) {
        if (!isCommitted || decision.commit === undefined) continue;
        const key = keys[index] ?? '';
        const state = decision.commit() as AtomicState | undefined;
        if (state === undefined) this.#remove(key);
        else this.#write(key, { state, expiresAtMs: state.expiresAtMs });
      }
      return decisions.map(({ result }) => result as unknown);
    });
  }

  async publish(): Promise<number> {
    throw new GuardStorageUnsupportedError('SQLite has no publish and subscribe');
  }

  async subscribe(): Promise<Unsubscribe> {
    throw new GuardStorageUnsupportedError('SQLite has no publish and subscribe');
  }

  supportsPubSub(): boolean {
    return false;
  }

  /** One transaction that no other process gets into. What SQLite itself refuses is an outage; a wrong argument is not. */
  #step<T>(keys: readonly string[], run: () => T): T {
    for (const key of keys) assertStorageKey(key);
    if (!this.#connected) {
      throw new GuardStorageUnavailableError('SQLite storage is disconnected', { wasSent: false });
    }
    try {
      this.#database.exec('BEGIN IMMEDIATE');
    } catch (cause) {
      throw new GuardStorageUnavailableError('SQLite cannot begin', { cause, wasSent: false });
    }
    try {
      const result = run();
      // What has expired goes a few at a time, with the calls that come.
      this.#database
        .prepare(
          'DELETE FROM guard WHERE key IN (SELECT key FROM guard WHERE expires <= ? LIMIT 2)',
        )
        .run(Date.now());
      this.#database.exec('COMMIT');
      return result;
    } catch (cause) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      if (cause instanceof TypeError) throw cause;
      throw new GuardStorageUnavailableError('SQLite failed', { cause });
    }
  }

  #read(key: string): Entry | undefined {
    const row = this.#database.prepare('SELECT entry, expires FROM guard WHERE key = ?').get(key);
    if (row === undefined || Number(row['expires']) <= Date.now()) return undefined;
    return deserialize(row['entry'] as Uint8Array) as Entry;
  }

  #write(key: string, entry: Entry): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO guard VALUES (?, ?, ?)')
      .run(key, serialize(entry), entry.expiresAtMs);
  }

  #remove(key: string): boolean {
    const { changes } = this.#database
      .prepare('DELETE FROM guard WHERE key = ? AND expires > ?')
      .run(key, Date.now());
    return changes > 0;
  }

  #expire(key: string, entry: Entry | undefined, ttlMs: number): boolean {
    if (entry === undefined) return false;
    const expiresAtMs = Date.now() + ttlMs;
    const state = entry.state && { state: { ...entry.state, expiresAtMs } };
    this.#write(key, { ...entry, ...state, expiresAtMs });
    return true;
  }
}

function stringOf(entry: Entry | undefined, key: string): string | null {
  if (entry?.state !== undefined) throw new TypeError(`Storage key "${key}" holds a state`);
  return entry?.value ?? null;
}

function stateOf(entry: Entry | undefined, key: string): AtomicState | undefined {
  if (entry?.value !== undefined) throw new TypeError(`Storage key "${key}" holds a plain value`);
  return entry?.state;
}

function entryOf(value: string, options: SetOptions = {}): Entry {
  if (typeof value !== 'string') throw new TypeError(`Value must be a string, got ${typeof value}`);
  return { value, expiresAtMs: Date.now() + ttlMsOf(options) };
}

function ttlMsOf({ ttlMs, ttlSeconds }: SetOptions): number {
  if (ttlMs !== undefined) return positive(ttlMs, 'ttlMs');
  if (ttlSeconds === undefined) return Infinity;
  return positive(positive(ttlSeconds, 'ttlSeconds') * 1000, 'ttlSeconds');
}

function positive(ms: number, name: string): number {
  if (Number.isSafeInteger(ms) && ms > 0) return ms;
  throw new RangeError(`${name} must be above 0 and a safe integer in ms, got ${ms}`);
}

/** A glob as a regular expression: `*` any run, `?` any one character, `\` takes the next one as it is. */
function globOf(pattern: string): RegExp {
  const source = pattern.replace(/\\?[^]/g, (part) => {
    if (part === '*') return '[^]*';
    if (part === '?') return '[^]';
    return part.slice(-1).replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
  });
  return new RegExp(`^${source}$`);
}
