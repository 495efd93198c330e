import {
  assertStorageKey,
  GuardStorageUnavailableError,
  GuardStorageUnsupportedError,
  type PlainStorage,
  type SetEntry,
  type SetOptions,
  type Unsubscribe,
} from '@frontmcp/guard-core';

import { assertValue } from '../assert-value.js';
import { toStorageFailure } from '../decorators/storage-failure.js';
import { matchesGlob } from '../matches-glob.js';
import { addToInteger } from '../add-to-integer.js';
import { assertUnconditional, expireMsOf, ttlMsOf } from '../set-options.js';
import type { KvNamespaceBinding } from './kv-binding.js';
import type { KvEntry, KvKeyed } from './kv-entries.js';
import { kvNameOf } from './kv-name.js';
import type { MergedWrites } from './merged-writes.js';

/** The plain part of the storage contract on Cloudflare KV, see {@link createCloudflareKvStorage}. */
export class CloudflareKvStorage implements PlainStorage {
  readonly #kv: KvNamespaceBinding;
  readonly #entries: MergedWrites;
  #connected = true;

  constructor(kv: KvNamespaceBinding, entries: MergedWrites) {
    this.#kv = kv;
    this.#entries = entries;
  }

  connect(): Promise<void> {
    this.#connected = true;
    return Promise.resolve();
  }

  async disconnect(): Promise<void> {
    this.#connected = false;
    await this.#entries.close();
  }

  async ping(): Promise<boolean> {
    if (!this.#connected) return false;
    try {
      await this.#kv.getWithMetadata('ping', 'text');
      return true;
    } catch {
      return false;
    }
  }

  async get(key: string): Promise<string | null> {
    return (await this.#read('get', key))?.value ?? null;
  }

  async set(key: string, value: string, options: SetOptions = {}): Promise<boolean> {
    const { ifNotExists = false, ifExists = false } = options;
    assertStorageKey(key);
    const ttlMs = assertSettable(key, value, options);
    const entry = (): KvEntry => entryOf(value, ttlMs);
    if (!ifNotExists && !ifExists) return this.#write('set', key, entry).then(() => true);
    return this.#change('set', key, (held) =>
      (held === undefined ? ifExists : ifNotExists)
        ? { result: false }
        : { result: true, write: entry },
    );
  }

  delete(key: string): Promise<boolean> {
    return this.#change('delete', key, (held) => ({
      result: held !== undefined,
      write: () => undefined,
    }));
  }

  async exists(key: string): Promise<boolean> {
    return (await this.#read('exists', key)) !== undefined;
  }

  async mget(keys: readonly string[]): Promise<(string | null)[]> {
    this.#assertCallable(keys);
    return Promise.all(keys.map((key) => this.get(key)));
  }

  async mset(entries: readonly SetEntry[]): Promise<void> {
    this.#assertCallable(entries.map(({ key }) => key));
    assertUnconditional(entries);
    const writes = new Map(
      entries.map(({ key, value, options }) => {
        const ttlMs = assertSettable(key, value, options);
        return [key, () => entryOf(value, ttlMs)];
      }),
    );
    await Promise.all(Array.from(writes, ([key, entry]) => this.#write('mset', key, entry)));
  }

  async mdelete(keys: readonly string[]): Promise<number> {
    this.#assertCallable(keys);
    const deleted = await Promise.all(Array.from(new Set(keys), (key) => this.delete(key)));
    return deleted.filter(Boolean).length;
  }

  async expire(key: string, ttlSeconds: number): Promise<boolean> {
    const ttlMs = expireMsOf(ttlSeconds);
    return this.#change('expire', key, (held) =>
      held === undefined
        ? { result: false }
        : { result: true, write: () => entryOf(held.value, ttlMs) },
    );
  }

  async ttl(key: string): Promise<number | null> {
    const held = await this.#read('ttl', key);
    if (held === undefined) return null;
    return held.expiresAtMs === Infinity ? -1 : Math.ceil((held.expiresAtMs - Date.now()) / 1000);
  }

  async keys(pattern = '*'): Promise<string[]> {
    this.#assertCallable([]);
    const literal = /^[^*?\\]*/.exec(pattern)?.[0] ?? '';
    const found = await this.#ask('keys', () => this.#entries.keys(literal));
    return found.filter((key) => matchesGlob(pattern, key));
  }

  async count(pattern = '*'): Promise<number> {
    return (await this.keys(pattern)).length;
  }

  incr(key: string): Promise<number> {
    return this.incrBy(key, 1);
  }

  decr(key: string): Promise<number> {
    return this.incrBy(key, -1);
  }

  incrBy(key: string, amount: number): Promise<number> {
    return this.#change('incrBy', key, (held) => {
      const sum = addToInteger(held?.value ?? null, amount, key);
      const expiresAtMs = held?.expiresAtMs ?? Infinity;
      return { result: sum, write: () => ({ value: String(sum), expiresAtMs }) };
    });
  }

  publish(): Promise<number> {
    return refusePubSub();
  }

  subscribe(): Promise<Unsubscribe> {
    return refusePubSub();
  }

  supportsPubSub(): boolean {
    return false;
  }

  async #read(call: string, key: string): Promise<KvEntry | undefined> {
    const keyed = await this.#keyed(key);
    return this.#ask(call, () => this.#entries.read(keyed));
  }

  async #write(call: string, key: string, entry: () => KvEntry): Promise<void> {
    const keyed = await this.#keyed(key);
    await this.#ask(call, () => this.#entries.write(keyed, entry()));
  }

  /** Reads, decides and writes. What another isolate writes in between is lost. */
  async #change<T>(
    call: string,
    key: string,
    decide: (held: KvEntry | undefined) => Change<T>,
  ): Promise<T> {
    const keyed = await this.#keyed(key);
    return this.#ask(call, async () => {
      const { result, write } = decide(await this.#entries.read(keyed));
      if (write !== undefined) await this.#entries.write(keyed, write());
      return result;
    });
  }

  async #keyed(key: string): Promise<KvKeyed> {
    this.#assertCallable([key]);
    return { key, name: await kvNameOf(key) };
  }

  async #ask<T>(call: string, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw toStorageFailure(error, call);
    }
  }

  #assertCallable(keys: readonly string[]): void {
    if (!this.#connected) {
      throw new GuardStorageUnavailableError('Cloudflare KV storage is disconnected', {
        wasSent: false,
      });
    }
    for (const key of keys) assertStorageKey(key);
  }
}

/** What comes of looking at an entry: a result, and what is to be written. */
interface Change<T> {
  readonly result: T;
  /** Undefined deletes the key. Absent: nothing changes. */
  readonly write?: () => KvEntry | undefined;
}

function entryOf(value: string, ttlMs: number | undefined): KvEntry {
  return { value, expiresAtMs: Date.now() + (ttlMs ?? Infinity) };
}

function assertSettable(
  key: string,
  value: string,
  options: SetOptions | undefined,
): number | undefined {
  assertValue(value, key);
  return ttlMsOf(options);
}

function refusePubSub(): Promise<never> {
  return Promise.reject(
    new GuardStorageUnsupportedError('Cloudflare KV has no publish and subscribe'),
  );
}
