import { assertStorageKey } from './assert-storage-key.js';
import type {
  AtomicCall,
  AtomicOperation,
  AtomicState,
  PreparedOperation,
} from './atomic-operation.js';
import type { StorageAdapter } from './storage-adapter.js';

/**
 * Binds an operation to a store and a kind: calls work on the key `<prefix><key>:<kind>`. Uses the store's own `prepare` where it
 * has one.
 *
 * @param prefix Nothing by default.
 * @returns Undefined when the store has no atomic part. Calls of what is returned reject with what `execute` rejects with, and
 * with a `TypeError` for a key that cannot be.
 * @throws TypeError when the store's own `prepare` refuses the kind.
 */
export function prepareOperation<S extends AtomicState, A, R>(
  storage: Pick<StorageAdapter, 'execute' | 'prepare'>,
  operation: AtomicOperation<S, A, R>,
  kind: string,
  prefix = '',
): PreparedOperation<A, R> | undefined {
  if (storage.prepare !== undefined) return storage.prepare(operation, kind, prefix);
  if (storage.execute === undefined) return undefined;
  const execute = storage.execute.bind(storage);
  return async (key, args) => {
    assertStorageKey(key);
    return execute(operation, `${prefix}${key}:${kind}`, args);
  };
}

/**
 * One step of an `executeTogether`, checked against the types of its operation, by the compiler only: the values go on as they
 * are.
 */
export function atomicCall<S extends AtomicState, A, R>(
  operation: AtomicOperation<S, A, R>,
  key: string,
  args: A,
): AtomicCall<S, A, R> {
  return { operation, key, args };
}
