import { GuardConfigError, type StorageAdapter } from '@frontmcp/guard-core';

import { assertOptions } from '../assert-options.js';
import { typeName } from '../type-name.js';
import { DurableObjectStorage } from './durable-object-storage.js';
import { isDurableObjectNamespace, type DurableObjectNamespaceBinding } from './object-binding.js';

/** Where the objects are. */
export interface DurableObjectStorageConfig {
  /** The binding of a class that `createGuardObject` made: `env.GUARD`. */
  readonly namespace: DurableObjectNamespaceBinding;
}

const KNOWN: ReadonlySet<string> = new Set<keyof DurableObjectStorageConfig>(['namespace']);

/**
 * A store in Durable Objects, one object per key, exact at any concurrency and from any location: every call on a key meets in
 * its one object. It keeps nothing of a request, so a Worker may make one per request or one per binding.
 *
 * - `execute` runs operations by name: those that the class was given, see {@link createGuardObject}. Arguments, results and
 *   state are plain data.
 * - There is no `executeTogether`, because keys live in different objects, and no publish and subscribe: who waits for a slot
 *   of a semaphore asks again and again, and order holds within one instance of it only. In a Worker that is one request: a
 *   semaphore for several would keep their leases and waits by timers that end with one of them.
 * - `keys` and `count` need the index of the class, else they reject with `GuardStorageUnsupportedError`.
 * - A value over what one object can hold, 2 MB in a class with SQLite, is a `RangeError`.
 *
 * Usable without `connect`; after `disconnect` calls are refused until it is connected again. Calls are not bounded in time and
 * not fallen back from: `connectStorage` adds both. What fails in between rejects with `GuardStorageUnavailableError`, and is not
 * sent again.
 *
 * @throws GuardConfigError unless `namespace` is the binding of a Durable Object class, and for an unknown key.
 */
export function createDurableObjectStorage(config: DurableObjectStorageConfig): StorageAdapter {
  assertOptions(config, KNOWN, 'the config of createDurableObjectStorage');
  const { namespace } = config as Partial<DurableObjectStorageConfig>;
  if (!isDurableObjectNamespace(namespace)) {
    throw new GuardConfigError(
      `namespace must be the binding of a Durable Object class, as in { namespace: env.GUARD }, got ${typeName(namespace)}`,
    );
  }
  return new DurableObjectStorage(namespace);
}
