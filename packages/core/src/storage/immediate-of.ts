import type { ImmediateStorage, StorageAdapter } from './storage-adapter.js';

/**
 * The part of a storage that answers at once. Undefined where there is none, and where it would not do: the calls leave the
 * process, or may go to another store.
 */
export function immediateOf(
  storage: Pick<StorageAdapter, 'inProcess' | 'current' | 'immediate'>,
): ImmediateStorage | undefined {
  return storage.inProcess === true && storage.current === undefined
    ? storage.immediate
    : undefined;
}
