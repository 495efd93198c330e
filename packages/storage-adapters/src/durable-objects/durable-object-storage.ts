import {
  assertStorageKey,
  GuardStorageUnavailableError,
  GuardStorageUnsupportedError,
  type AtomicOperation,
  type AtomicState,
  type SetEntry,
  type SetOptions,
  type StorageAdapter,
  type Unsubscribe,
} from '@frontmcp/guard-core';

import { assertValue } from '../assert-value.js';
import { assertUnconditional, expireMsOf, ttlMsOf } from '../set-options.js';
import { allShards, objectOf, type NamePage } from './key-index.js';
import type { DurableObjectNamespaceBinding } from './object-binding.js';
import { readReply, writeCall } from './object-message.js';

/** How many objects are asked at once whether they hold their key. */
const ASKED_AT_ONCE = 100;

/**
 * The storage contract on Durable Objects, one object per key. A call is one request, sent once; one about several keys is one
 * request for each, so it is not atomic over all of them. Time is that of the object.
 */
export class DurableObjectStorage implements StorageAdapter {
  readonly #namespace: DurableObjectNamespaceBinding;
  #connected = true;

  constructor(namespace: DurableObjectNamespaceBinding) {
    this.#namespace = namespace;
  }

  connect(): Promise<void> {
    this.#connected = true;
    return Promise.resolve();
  }

  disconnect(): Promise<void> {
    this.#connected = false;
    return Promise.resolve();
  }

  async ping(): Promise<boolean> {
    try {
      return (await this.#ask(this.#namespace.idFromName('ping'), '', 'ping', [])) === true;
    } catch {
      return false;
    }
  }

  get(key: string): Promise<string | null> {
    return this.#call(key, 'get');
  }

  async set(key: string, value: string, options?: SetOptions): Promise<boolean> {
    return this.#call(key, 'set', ...setArgs(key, value, options), {
      ifNotExists: options?.ifNotExists === true,
      ifExists: options?.ifExists === true,
    });
  }

  delete(key: string): Promise<boolean> {
    return this.#call(key, 'delete');
  }

  exists(key: string): Promise<boolean> {
    return this.#call(key, 'exists');
  }

  async mget(keys: readonly string[]): Promise<(string | null)[]> {
    this.#assertCallable(keys);
    return Promise.all(keys.map((key) => this.get(key)));
  }

  async mset(entries: readonly SetEntry[]): Promise<void> {
    this.#assertCallable(entries.map(({ key }) => key));
    assertUnconditional(entries);
    const writes = new Map(
      entries.map(({ key, value, options }) => [key, setArgs(key, value, options)]),
    );
    const always = { ifNotExists: false, ifExists: false };
    await Promise.all(Array.from(writes, ([key, args]) => this.#call(key, 'set', ...args, always)));
  }

  async mdelete(keys: readonly string[]): Promise<number> {
    this.#assertCallable(keys);
    const deleted = await Promise.all(Array.from(new Set(keys), (key) => this.delete(key)));
    return deleted.filter(Boolean).length;
  }

  async expire(key: string, ttlSeconds: number): Promise<boolean> {
    return this.#call(key, 'expire', expireMsOf(ttlSeconds));
  }

  async ttl(key: string): Promise<number | null> {
    const ttlMs = await this.#call<number | null>(key, 'ttlMs');
    if (ttlMs === null) return null;
    return ttlMs === Infinity ? -1 : Math.ceil(ttlMs / 1000);
  }

  /** Asks each part of the index, and each object that is listed there and matches: an expired key is not among them. */
  async keys(pattern = '*'): Promise<string[]> {
    this.#assertCallable([]);
    const found = await Promise.all(
      allShards(this.#namespace).map((shard) => this.#keysOf(shard, pattern)),
    );
    return found.flat();
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
    return this.#call(key, 'incrBy', amount);
  }

  compareAndDelete(key: string, expected: string): Promise<boolean> {
    return this.#call(key, 'compareAndDelete', expected);
  }

  async compareAndExpire(key: string, expected: string, ttlSeconds: number): Promise<boolean> {
    return this.#call(key, 'compareAndExpire', expected, expireMsOf(ttlSeconds));
  }

  execute<S extends AtomicState, A, R>(
    { name }: AtomicOperation<S, A, R>,
    key: string,
    args: A,
  ): Promise<R> {
    return this.#call(key, 'execute', name, args);
  }

  publish(): Promise<number> {
    return this.#refusePubSub();
  }

  subscribe(): Promise<Unsubscribe> {
    return this.#refusePubSub();
  }

  supportsPubSub(): boolean {
    return false;
  }

  async #call<T>(key: string, call: string, ...args: unknown[]): Promise<T> {
    this.#assertCallable([key]);
    return (await this.#ask(objectOf(this.#namespace, key), key, call, args)) as T;
  }

  async #ask(
    object: object,
    key: string,
    call: string,
    args: readonly unknown[],
  ): Promise<unknown> {
    this.#assertCallable([]);
    const body = writeCall({ call, key, args });
    let text, status;
    try {
      const reply = await this.#namespace
        .get(object)
        .fetch('https://guard/', { method: 'POST', body });
      status = reply.status;
      text = await reply.text();
    } catch (error) {
      throw new GuardStorageUnavailableError('The Durable Object did not answer', { cause: error });
    }
    return readReply(text, status);
  }

  async #keysOf(shard: object, pattern: string): Promise<string[]> {
    const kept: string[] = [];
    let startAfter: string | undefined;
    do {
      const page = (await this.#ask(shard, '', 'index.page', [pattern, startAfter])) as NamePage;
      for (let at = 0; at < page.names.length; at += ASKED_AT_ONCE) {
        const names = page.names.slice(at, at + ASKED_AT_ONCE);
        const areKept = await Promise.all(names.map((name) => this.#call<boolean>(name, 'isKept')));
        kept.push(...names.filter((_, index) => areKept[index]));
      }
      startAfter = page.next;
    } while (startAfter !== undefined);
    return kept;
  }

  #assertCallable(keys: readonly string[]): void {
    if (!this.#connected) {
      throw new GuardStorageUnavailableError('Durable Object storage is disconnected', {
        wasSent: false,
      });
    }
    for (const key of keys) assertStorageKey(key);
  }

  #refusePubSub(): Promise<never> {
    return Promise.reject(
      new GuardStorageUnsupportedError('Durable Objects have no publish and subscribe'),
    );
  }
}

/** The value and the time to live in ms, Infinity for none. */
function setArgs(key: string, value: string, options: SetOptions | undefined): [string, number] {
  assertStorageKey(key);
  assertValue(value, key);
  return [value, ttlMsOf(options) ?? Infinity];
}
