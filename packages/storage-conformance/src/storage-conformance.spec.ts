import type { StorageAdapter } from '@frontmcp/guard-core';
import {
  createMemoryStorage,
  namespaceStorage,
  type MemoryStorage,
} from '@frontmcp/guard-storage-adapters';

import {
  plainOnly,
  registerStorageConformance,
  storageConformance,
  throughImmediate,
} from './index.js';

let now = Date.UTC(2026, 0, 1);
const clock = (): number => now;
const advance = (ms: number): void => {
  now += ms;
};
const logger = { info: () => undefined, warn: () => undefined };
const memory = (): MemoryStorage => createMemoryStorage({ clock, logger });
const runner = { describe, test };

registerStorageConformance('the memory store', runner, { createStorage: memory, advance });

registerStorageConformance('the memory store in a namespace', runner, {
  createStorage: () => namespaceStorage(memory(), 'app:*'),
  advance,
});

registerStorageConformance('the immediate steps of the memory store in a namespace', runner, {
  createStorage: () => throughImmediate(namespaceStorage(memory(), 'app:*')),
  advance,
});

registerStorageConformance('plainOnly', runner, {
  createStorage: () => plainOnly(memory()),
  advance,
  without: ['atomic', 'together'],
});

registerStorageConformance('plainOnly without compare', runner, {
  createStorage: () => plainOnly(memory(), { compare: false }),
  advance,
  without: ['compare', 'atomic', 'together'],
});

describe('storageConformance', () => {
  const names = (without: Parameters<typeof storageConformance>[0]['without']): string[] =>
    storageConformance({ createStorage: memory, without: without ?? [] }).map(({ name }) => name);

  it('names every case differently', () => {
    expect(new Set(names([])).size).toBe(names([]).length);
  });

  it.each([
    'compare',
    'atomic',
    'together',
    'pubSub',
    'receivers',
    'enumerate',
    'atomicPlain',
  ] as const)(
    'leaves out, and only leaves out, what needs %s when the store lacks it',
    (capability) => {
      const all = storageConformance({ createStorage: memory });
      const kept = all.filter(({ requires }) => !requires.includes(capability));
      expect(names([capability])).toEqual(kept.map(({ name }) => name));
      expect(kept.length).toBeLessThan(all.length);
    },
  );

  it.each(['compare', 'atomic', 'together', 'pubSub', 'enumerate'] as const)(
    'fails a store that is declared to lack %s and has it',
    async (capability) => {
      const [has] = storageConformance({ createStorage: memory, without: [capability] });
      await expect(has!.run()).rejects.toThrow('capabilities: expected');
    },
  );

  it('passes on the failure of a store that is asked whether it can list its keys', async () => {
    const broken = { count: () => Promise.reject(new RangeError('broken')) };
    const createStorage = (): StorageAdapter => Object.assign(plainOnly(memory()), broken);
    const [has] = storageConformance({ createStorage, without: ['atomic', 'together'] });
    await expect(has!.run()).rejects.toThrow('broken');
  });

  it('has the messages of its failures say what was expected and what came', async () => {
    const broken = Object.assign(plainOnly(memory()), { get: async () => 'ghost' });
    const [, absent] = storageConformance({ createStorage: () => broken });
    await expect(absent!.run()).rejects.toThrow('get: expected null, got "ghost"');
  });

  it('waits for the time itself when the store cannot be told to', async () => {
    jest.useFakeTimers();
    const cases = storageConformance({ createStorage: () => createMemoryStorage() });
    const run = cases.find(({ name }) => name.startsWith('set ttlMs'))!.run();
    await jest.advanceTimersByTimeAsync(1099);
    const passed = run.then(() => Date.now());
    await jest.advanceTimersByTimeAsync(1);
    expect(await passed).toBe(Date.now());
    jest.useRealTimers();
  });

  it('deletes its keys at the end, also of a case that failed', async () => {
    const backend = memory();
    const shared = Object.assign(plainOnly(backend), {
      ttl: async () => 7,
      disconnect: async () => undefined,
    });
    const cases = storageConformance({ createStorage: () => shared, advance });
    const failing = cases.find(({ name }) => name.startsWith('mset: writes all'))!;
    await expect(failing.run()).rejects.toThrow('ttl without one: expected -1, got 7');
    expect(await backend.keys()).toEqual([]);
  });
});
