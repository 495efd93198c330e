import type { StorageAdapter } from '@frontmcp/guard-core';
import { plainOnly, registerStorageConformance } from '@frontmcp/guard-storage-conformance';

import { add } from '../../test/add-operation.js';
import { createFaultyStorage } from '../../test/faulty-storage.js';
import { createTestLogger } from '../../test/test-logger.js';
import { createMemoryStorage } from '../index.js';
import { keepOpen } from './keep-open.js';
import { withFallback } from './with-fallback.js';

describe('keepOpen', () => {
  it('has the methods of the store, and no others', () => {
    const methods: (keyof StorageAdapter)[] = ['execute', 'executeTogether', 'prepare', 'current'];
    const stores: StorageAdapter[] = [
      createMemoryStorage(),
      plainOnly(createMemoryStorage()),
      withFallback(createMemoryStorage(), { fallback: 'memory' }),
    ];
    for (const storage of stores) {
      const kept = keepOpen(storage);
      for (const method of methods) expect(method in kept).toBe(storage[method] !== undefined);
    }
  });

  it('puts nothing around a prepared step', () => {
    const memory = createMemoryStorage();
    const prepared = (): Promise<never> => new Promise(() => undefined);
    memory.prepare = () => prepared;
    expect(keepOpen(memory).prepare?.(add, 'n')).toBe(prepared);
  });

  it('tells the epoch and the store in use', () => {
    const { storage, backend } = createFaultyStorage();
    const inner: StorageAdapter = Object.assign(storage, { epoch: 1, current: () => backend });
    const kept = keepOpen(inner);
    expect(kept.epoch).toBe(1);
    Object.assign(inner, { epoch: 2 });
    expect(kept.epoch).toBe(2);
    expect(kept.current?.()).toBe(backend);
  });

  it('answers a ping while it is connected', async () => {
    const kept = keepOpen(createMemoryStorage());
    expect(await kept.ping()).toBe(true);
    await kept.disconnect();
    expect(await kept.ping()).toBe(false);
    await kept.connect();
    expect(await kept.ping()).toBe(true);
  });

  it('ends a subscription that comes after disconnect', async () => {
    const faulty = createFaultyStorage();
    const kept = keepOpen(faulty.storage);
    faulty.fault = 'hangs';
    const subscribed = kept.subscribe('c', () => undefined);
    await kept.disconnect();
    faulty.fault = 'none';
    faulty.answer('result');
    await subscribed;
    expect(await faulty.backend.publish('c', 'late')).toBe(0);
  });
});

describe('the contract', () => {
  const logger = createTestLogger();
  let now = Date.UTC(2026, 0, 1);
  registerStorageConformance(
    'kept open under a fallback',
    { describe, test },
    {
      createStorage: () =>
        withFallback(keepOpen(createMemoryStorage({ clock: () => now, logger })), {
          fallback: 'error',
          logger,
        }),
      advance: (ms) => {
        now += ms;
      },
    },
  );
});
