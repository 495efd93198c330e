import type { StorageAdapter } from '@frontmcp/guard-core';

/**
 * The `current` of a decorated store: what the inner store is at now, decorated the same way. One inner store always gives
 * the same decorated one. Undefined when the inner store is always itself.
 */
export function followCurrent(
  storage: StorageAdapter,
  decorate: (current: StorageAdapter) => StorageAdapter,
): (() => StorageAdapter) | undefined {
  if (storage.current === undefined) return undefined;
  const current = storage.current.bind(storage);
  const decorated = new WeakMap<StorageAdapter, StorageAdapter>();
  return () => {
    const store = current();
    const known = decorated.get(store);
    if (known !== undefined) return known;
    const made = decorate(store);
    decorated.set(store, made);
    return made;
  };
}
