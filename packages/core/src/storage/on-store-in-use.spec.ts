import { onStoreInUse, type StorageAdapter } from '../index.js';

const [first, second] = [{ name: 'first' }, { name: 'second' }] as unknown as StorageAdapter[];

describe('onStoreInUse', () => {
  test('runs on the storage itself when that never changes', async () => {
    const storage = {};
    expect(await onStoreInUse(storage, (store) => Promise.resolve(store))).toBe(storage);
  });

  test('runs on the store in use', async () => {
    const storage = { current: () => first as StorageAdapter };
    expect(await onStoreInUse(storage, (store) => Promise.resolve(store))).toBe(first);
  });

  test('runs again, on the store that took the place of one that failed', async () => {
    let inUse = first as StorageAdapter;
    const tried: unknown[] = [];
    const result = await onStoreInUse({ current: () => inUse }, (store) => {
      tried.push(store);
      if (store === second) return Promise.resolve('served');
      inUse = second as StorageAdapter;
      return Promise.reject(new Error('down'));
    });
    expect(result).toBe('served');
    expect(tried).toEqual([first, second]);
  });

  test('hands the failure on while the store stays in use', async () => {
    const run = jest.fn(() => Promise.reject(new Error('down')));
    await expect(onStoreInUse({ current: () => first as StorageAdapter }, run)).rejects.toThrow(
      'down',
    );
    await expect(onStoreInUse({}, run)).rejects.toThrow('down');
    expect(run).toHaveBeenCalledTimes(2);
  });
});
