import {
  assertStorageKey,
  safeLogger,
  type AtomicCall,
  type AtomicOperation,
  type AtomicState,
  type ImmediateStorage,
  type MessageHandler,
  type PreparedOperation,
  type SetEntry,
  type SetOptions,
  type StorageAdapter,
  type Unsubscribe,
} from '@frontmcp/guard-core';

import { assertValue } from '../assert-value.js';
import { assertUnconditional, expireMsOf, ttlMsOf } from '../set-options.js';
import { addToInteger } from '../add-to-integer.js';
import { EntryStore } from './entry-store.js';
import type { KeyPlace } from './key-space.js';
import { assertMemoryStorageOptions, type MemoryStorageOptions } from './memory-storage-options.js';
import { MemorySteps } from './memory-steps.js';
import { MessageBus } from './message-bus.js';
import { PlainValue, plainValueOf } from '../plain-value.js';
import { steadyClock } from './steady-clock.js';

/**
 * A store in the memory of this process: exact, at once, and gone with the process. Each instance is a store of its own.
 *
 * Usable without `connect`; after `disconnect` it is empty and refuses calls until it is connected again. Expired keys are
 * given back in small steps, by one timer that never keeps the process alive. When `maxEntries` live keys are held, a new
 * key is refused: freeing one would lift somebody's limit.
 *
 * @throws GuardConfigError unless `maxEntries` is a positive integer or Infinity, or for an unknown option.
 */
export function createMemoryStorage(options: MemoryStorageOptions = {}): MemoryStorage {
  return new MemoryStorage(options);
}

/** See {@link createMemoryStorage}. */
export class MemoryStorage implements Required<
  Omit<StorageAdapter, 'current' | 'canMeet' | 'partOf'>
> {
  readonly inProcess: boolean = true;
  readonly epoch: number = 0;
  readonly immediate: ImmediateStorage;
  readonly #entries: EntryStore;
  readonly #bus: MessageBus;
  readonly #steps: MemorySteps;

  constructor(options: MemoryStorageOptions = {}) {
    assertMemoryStorageOptions(options);
    const { maxEntries = Infinity } = options;
    const logger = options.logger && safeLogger(options.logger);
    this.#bus = new MessageBus((error, channel) => {
      (logger ?? console).warn(`A message handler of channel "${channel}" threw`, error);
    });
    this.#entries = new EntryStore({
      maxEntries,
      clock: steadyClock(options.clock),
      onFull: () => {
        logger?.warn(
          `Memory storage is full with ${maxEntries} live entries: new keys are refused`,
        );
      },
    });
    this.#steps = new MemorySteps(this.#entries, this.#bus);
    this.immediate = this.#steps;
  }

  /** Keys held now, those included that have expired, or were deleted by a step, and are not given back yet. */
  get size(): number {
    return this.#entries.size;
  }

  connect(): Promise<void> {
    this.#entries.isOpen = true;
    return Promise.resolve();
  }

  disconnect(): Promise<void> {
    this.#entries.isOpen = false;
    this.#entries.clear();
    this.#bus.clear();
    return Promise.resolve();
  }

  ping(): Promise<boolean> {
    return Promise.resolve(this.#entries.isOpen);
  }

  get(key: string): Promise<string | null> {
    return this.#settle(() => this.#get(key));
  }

  set(key: string, value: string, options?: SetOptions): Promise<boolean> {
    return this.#settle(() => {
      const ttlMs = ttlMsOf(options);
      const place = this.#place(key);
      assertValue(value, key);
      const now = this.#entries.clock();
      const present = this.#entries.find(place.table, place.key, now) !== undefined;
      if (present ? options?.ifNotExists === true : options?.ifExists === true) return false;
      this.#write(place, value, ttlMs === undefined ? Infinity : now + ttlMs);
      return true;
    });
  }

  delete(key: string): Promise<boolean> {
    return this.#settle(() => this.#delete(key));
  }

  exists(key: string): Promise<boolean> {
    return this.#settle(() => this.#find(key) !== undefined);
  }

  mget(keys: readonly string[]): Promise<(string | null)[]> {
    return this.#settle(() => keys.map((key) => this.#get(key)));
  }

  mset(entries: readonly SetEntry[]): Promise<void> {
    return this.#settle(() => {
      const now = this.#entries.clock();
      assertUnconditional(entries);
      const writes = entries.map(({ key, value, options }) => {
        const ttlMs = ttlMsOf(options);
        const place = this.#place(key);
        assertValue(value, key);
        return { place, value, expiresAtMs: now + (ttlMs ?? Infinity) };
      });
      const places = writes.map(({ place }) => place);
      this.#entries.reserveFor(places, now);
      for (const { place, value, expiresAtMs } of writes) this.#write(place, value, expiresAtMs);
    });
  }

  mdelete(keys: readonly string[]): Promise<number> {
    return this.#settle(() => {
      for (const key of keys) assertStorageKey(key);
      return keys.filter((key) => this.#delete(key)).length;
    });
  }

  expire(key: string, ttlSeconds: number): Promise<boolean> {
    return this.#settle(() => {
      const ttlMs = expireMsOf(ttlSeconds);
      const entry = this.#find(key);
      if (entry !== undefined) entry.expiresAtMs = this.#entries.clock() + ttlMs;
      return entry !== undefined;
    });
  }

  ttl(key: string): Promise<number | null> {
    return this.#settle(() => {
      const entry = this.#find(key);
      if (entry === undefined) return null;
      if (entry.expiresAtMs === Infinity) return -1;
      return Math.ceil((entry.expiresAtMs - this.#entries.clock()) / 1000);
    });
  }

  keys(pattern = '*'): Promise<string[]> {
    return this.#settle(() => this.#entries.names(pattern));
  }

  count(pattern = '*'): Promise<number> {
    return this.#settle(() => this.#entries.names(pattern).length);
  }

  incr(key: string): Promise<number> {
    return this.incrBy(key, 1);
  }

  decr(key: string): Promise<number> {
    return this.incrBy(key, -1);
  }

  incrBy(key: string, amount: number): Promise<number> {
    return this.#settle(() => {
      const place = this.#place(key);
      const held = this.#entries.find(place.table, place.key, this.#entries.clock());
      const sum = addToInteger(plainValueOf(held, key), amount, key);
      this.#write(place, String(sum), held?.expiresAtMs ?? Infinity);
      return sum;
    });
  }

  compareAndDelete(key: string, expected: string): Promise<boolean> {
    return this.#settle(() => this.#get(key) === expected && this.#delete(key));
  }

  compareAndExpire(key: string, expected: string, ttlSeconds: number): Promise<boolean> {
    return this.#settle(() => {
      const ttlMs = expireMsOf(ttlSeconds);
      const entry = this.#find(key);
      if (entry === undefined || plainValueOf(entry, key) !== expected) return false;
      entry.expiresAtMs = this.#entries.clock() + ttlMs;
      return true;
    });
  }

  execute<S extends AtomicState, A, R>(
    operation: AtomicOperation<S, A, R>,
    key: string,
    args: A,
  ): Promise<R> {
    return this.#settle(() => this.#steps.execute(operation, key, args));
  }

  executeTogether(calls: readonly AtomicCall[]): Promise<unknown[]> {
    return this.#settle(() => this.#steps.executeTogether(calls));
  }

  prepare<S extends AtomicState, A, R>(
    operation: AtomicOperation<S, A, R>,
    kind: string,
    prefix?: string,
  ): PreparedOperation<A, R> {
    const step = this.#steps.prepare(operation, kind, prefix);
    // Async, because the compiler settles such a promise without looking for a `then` in the result.
    // eslint-disable-next-line @typescript-eslint/require-await -- see above
    return async (key, args) => step(key, args);
  }

  publish(channel: string, message: string): Promise<number> {
    return this.#settle(() => this.#bus.publish(channel, message));
  }

  subscribe(channel: string, handler: MessageHandler): Promise<Unsubscribe> {
    return this.#settle(() => this.#bus.subscribe(channel, handler));
  }

  supportsPubSub(): boolean {
    return true;
  }

  #settle<T>(run: () => T): Promise<T> {
    try {
      this.#entries.assertOpen();
      return Promise.resolve(run());
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #place(name: string): KeyPlace {
    assertStorageKey(name);
    return this.#entries.space.place(name);
  }

  #find(name: string): AtomicState | undefined {
    const { table, key } = this.#place(name);
    return this.#entries.find(table, key, this.#entries.clock());
  }

  #get(name: string): string | null {
    return plainValueOf(this.#find(name), name);
  }

  #delete(name: string): boolean {
    const { table, key } = this.#place(name);
    const present = this.#entries.find(table, key, this.#entries.clock()) !== undefined;
    this.#entries.remove(table, key);
    return present;
  }

  #write({ table, key }: KeyPlace, value: string, expiresAtMs: number): void {
    const entry = new PlainValue(value, expiresAtMs);
    if (table.entries.has(key)) {
      table.entries.set(key, entry);
      return;
    }
    this.#entries.reserve(1);
    this.#entries.put(table, key, entry);
  }
}
