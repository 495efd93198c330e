import type { StorageAdapter } from '@frontmcp/guard-core';

/** What {@link plainOnly} leaves of a store. */
export interface PlainOnlyOptions {
  /** Keep `compareAndDelete` and `compareAndExpire`; true by default. */
  readonly compare?: boolean;
}

/**
 * The same store without its atomic part (`execute`, `executeTogether`, `prepare`), as Cloudflare KV or somebody's own adapter
 * would be: for tests of the plain paths. It does not say that it is in the process, and lacks `epoch` and `current`. Connecting
 * and disconnecting it does so to the store.
 */
export function plainOnly(storage: StorageAdapter, options: PlainOnlyOptions = {}): StorageAdapter {
  const plain: StorageAdapter = {
    connect: () => storage.connect(),
    disconnect: () => storage.disconnect(),
    ping: () => storage.ping(),
    get: (key) => storage.get(key),
    set: (key, value, setOptions) => storage.set(key, value, setOptions),
    delete: (key) => storage.delete(key),
    exists: (key) => storage.exists(key),
    mget: (keys) => storage.mget(keys),
    mset: (entries) => storage.mset(entries),
    mdelete: (keys) => storage.mdelete(keys),
    expire: (key, ttlSeconds) => storage.expire(key, ttlSeconds),
    ttl: (key) => storage.ttl(key),
    keys: (pattern) => storage.keys(pattern),
    count: (pattern) => storage.count(pattern),
    incr: (key) => storage.incr(key),
    decr: (key) => storage.decr(key),
    incrBy: (key, amount) => storage.incrBy(key, amount),
    publish: (channel, message) => storage.publish(channel, message),
    subscribe: (channel, handler) => storage.subscribe(channel, handler),
    supportsPubSub: () => storage.supportsPubSub(),
  };
  if (options.compare === false) return plain;
  if (storage.compareAndDelete !== undefined) {
    plain.compareAndDelete = storage.compareAndDelete.bind(storage);
  }
  if (storage.compareAndExpire !== undefined) {
    plain.compareAndExpire = storage.compareAndExpire.bind(storage);
  }
  return plain;
}
