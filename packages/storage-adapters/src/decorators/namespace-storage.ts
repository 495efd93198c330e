import { assertStorageKey, type ImmediateStorage, type StorageAdapter } from '@frontmcp/guard-core';

import { followCurrent } from './follow-current.js';

/**
 * Keeps a user's keys apart from others in the same store: puts `<prefix>:` before every key of plain, compare and atomic
 * calls, and takes it off what `keys` returns.
 *
 * Colons at the end of the prefix are dropped, then one is added; of an empty prefix nothing is left, and `storage` itself
 * is returned. A method that the store lacks is absent here too. Channels are not namespaced: the name of a channel in
 * what an atomic operation publishes is the caller's, and a subscriber has to name the same one.
 *
 * @throws TypeError when the prefix is not a well-formed string.
 */
export function namespaceStorage(storage: StorageAdapter, prefix: string): StorageAdapter {
  assertStorageKey(prefix);
  const name = withoutTrailingColons(prefix);
  return name === '' ? storage : putBefore(storage, `${name}:`);
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function putBefore(storage: StorageAdapter, start: string): StorageAdapter {
  // What is not a string goes on as it is, for the store to refuse.
  const full = (key: string): string => (typeof key === 'string' ? start + key : key);
  const glob = escapeGlob(start);
  const namespaced: Writable<StorageAdapter> = {
    get inProcess() {
      return storage.inProcess;
    },
    get epoch() {
      return storage.epoch;
    },
    connect: () => storage.connect(),
    disconnect: () => storage.disconnect(),
    ping: () => storage.ping(),
    get: (key) => storage.get(full(key)),
    set: (key, value, options) => storage.set(full(key), value, options),
    delete: (key) => storage.delete(full(key)),
    exists: (key) => storage.exists(full(key)),
    mget: async (keys) => storage.mget(keys.map(full)),
    mset: async (entries) =>
      storage.mset(entries.map((entry) => ({ ...entry, key: full(entry.key) }))),
    mdelete: async (keys) => storage.mdelete(keys.map(full)),
    expire: (key, ttlSeconds) => storage.expire(full(key), ttlSeconds),
    ttl: (key) => storage.ttl(full(key)),
    keys: async (pattern = '*') => {
      const names = await storage.keys(glob + pattern);
      return names.map((key) => key.slice(start.length));
    },
    count: (pattern = '*') => storage.count(glob + pattern),
    incr: (key) => storage.incr(full(key)),
    decr: (key) => storage.decr(full(key)),
    incrBy: (key, amount) => storage.incrBy(full(key), amount),
    publish: (channel, message) => storage.publish(channel, message),
    subscribe: (channel, handler) => storage.subscribe(channel, handler),
    supportsPubSub: () => storage.supportsPubSub(),
  };
  return addOptionalPart(namespaced, storage, start, full);
}

function addOptionalPart(
  namespaced: Writable<StorageAdapter>,
  storage: StorageAdapter,
  start: string,
  full: (key: string) => string,
): StorageAdapter {
  if (storage.compareAndDelete !== undefined) {
    const compareAndDelete = storage.compareAndDelete.bind(storage);
    namespaced.compareAndDelete = (key, expected) => compareAndDelete(full(key), expected);
  }
  if (storage.compareAndExpire !== undefined) {
    const compareAndExpire = storage.compareAndExpire.bind(storage);
    namespaced.compareAndExpire = (key, expected, ttlSeconds) =>
      compareAndExpire(full(key), expected, ttlSeconds);
  }
  if (storage.execute !== undefined) {
    const execute = storage.execute.bind(storage);
    namespaced.execute = (operation, key, args) => execute(operation, full(key), args);
  }
  if (storage.executeTogether !== undefined) {
    const executeTogether = storage.executeTogether.bind(storage);
    namespaced.executeTogether = async (calls) =>
      executeTogether(calls.map((call) => ({ ...call, key: full(call.key) })));
  }
  if (storage.canMeet !== undefined) {
    const { canMeet } = storage;
    namespaced.canMeet = (keys) => canMeet(keys.map(full));
  }
  if (storage.partOf !== undefined) {
    const { partOf } = storage;
    namespaced.partOf = (key) => partOf(full(key));
  }
  if (storage.prepare !== undefined) {
    const prepare = storage.prepare.bind(storage);
    namespaced.prepare = (operation, kind, prefix = '') => prepare(operation, kind, start + prefix);
  }
  if (storage.immediate !== undefined) {
    namespaced.immediate = putBeforeImmediate(storage.immediate, start, full);
  }
  const current = followCurrent(storage, (store) => putBefore(store, start));
  if (current !== undefined) namespaced.current = current;
  return namespaced;
}

function putBeforeImmediate(
  immediate: ImmediateStorage,
  start: string,
  full: (key: string) => string,
): ImmediateStorage {
  return {
    prepare: (operation, kind, prefix = '') => immediate.prepare(operation, kind, start + prefix),
    executeTogether: (calls) =>
      immediate.executeTogether(calls.map((call) => ({ ...call, key: full(call.key) }))),
  };
}

function withoutTrailingColons(prefix: string): string {
  let end = prefix.length;
  while (prefix[end - 1] === ':') end--;
  return prefix.slice(0, end);
}

function escapeGlob(text: string): string {
  return text.replace(/[*?\\]/g, '\\$&');
}
