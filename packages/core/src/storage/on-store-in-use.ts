import type { StorageAdapter } from './storage-adapter.js';

/**
 * Runs several calls on one and the same store: the one that `storage` uses now, see `PlainStorage.current`. When they fail and
 * another store is in use by then, they are run once more, on that one, for as often as the store in use changes. Rejects with
 * what the last run failed with. What an earlier run did stays done.
 */
export async function onStoreInUse<S extends Pick<StorageAdapter, 'current'>, T>(
  storage: S,
  run: (store: S | StorageAdapter) => Promise<T>,
): Promise<T> {
  for (;;) {
    const store = storage.current?.() ?? storage;
    try {
      return await run(store);
    } catch (error) {
      if ((storage.current?.() ?? storage) === store) throw error;
    }
  }
}
