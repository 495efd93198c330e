import type { StorageAdapter } from '@frontmcp/guard-core';

/** Every plain call that takes a key, by the name of its method. */
export const callsOnAKey: Readonly<
  Record<string, (storage: StorageAdapter, key: string) => Promise<unknown>>
> = {
  get: (storage, key) => storage.get(key),
  set: (storage, key) => storage.set(key, 'value'),
  delete: (storage, key) => storage.delete(key),
  exists: (storage, key) => storage.exists(key),
  mget: (storage, key) => storage.mget(['well-formed', key]),
  mset: (storage, key) => storage.mset([{ key, value: 'value' }]),
  mdelete: (storage, key) => storage.mdelete(['well-formed', key]),
  expire: (storage, key) => storage.expire(key, 1),
  ttl: (storage, key) => storage.ttl(key),
  incr: (storage, key) => storage.incr(key),
  decr: (storage, key) => storage.decr(key),
  incrBy: (storage, key) => storage.incrBy(key, 1),
};
