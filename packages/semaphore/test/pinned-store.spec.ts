import { GuardStorageUnavailableError, type StorageAdapter } from '@frontmcp/guard-core';
import { createMemoryStorage, withFallback } from '@frontmcp/guard-storage-adapters';

import { DistributedSemaphore } from '../src/index.js';

const quiet = { info: () => undefined, warn: () => undefined };

/** A store that can be taken down, with a memory store to fall back to. */
function fallingBack() {
  const primary = createMemoryStorage();
  const own = createMemoryStorage();
  let isDown = false;
  let losesReply = false;
  const shaky = new Proxy<StorageAdapter>(primary, {
    get(target, property) {
      if (property === 'inProcess') return undefined;
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as (...args: unknown[]) => unknown;
      if (property === 'supportsPubSub') return method;
      if (property === 'prepare') return undefined;
      if (property === 'ping') return () => Promise.resolve(!isDown);
      return async (...args: unknown[]) => {
        if (isDown) throw new GuardStorageUnavailableError('Down');
        const result = await method(...args);
        if (!losesReply) return result;
        losesReply = false;
        throw new GuardStorageUnavailableError('No answer');
      };
    },
  });
  const storage = withFallback(shaky, {
    fallback: 'memory',
    logger: quiet,
    createMemory: () => own,
    probeIntervalMs: 10,
  });
  return {
    storage,
    primary,
    own,
    setDown: (down: boolean) => (isDown = down),
    loseReply: () => (losesReply = true),
  };
}

async function untilBack(storage: StorageAdapter): Promise<void> {
  const before = storage.epoch;
  while (storage.epoch === before) {
    await storage.get('x');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

describe('tickets of a storage that falls back', () => {
  test('a ticket granted before an outage is released to the store that granted it', async () => {
    const { storage, primary, own, setDown } = fallingBack();
    const semaphore = new DistributedSemaphore(storage);
    const before = await semaphore.acquire('k', 1, 0, 'x');
    setDown(true);
    const during = await semaphore.acquire('k', 1, 0, 'x');
    expect(during).not.toBeNull();
    expect(await own.exists('k:sem')).toBe(true);
    setDown(false);
    await untilBack(storage);
    expect(await semaphore.acquire('k', 1, 0, 'x')).toBeNull();
    expect(await during?.release()).toBe(true);
    expect(await own.exists('k:sem')).toBe(false);
    expect(await primary.exists('k:sem')).toBe(true);
    expect(await before?.release()).toBe(true);
    expect(await primary.exists('k:sem')).toBe(false);
    await semaphore.destroy();
  });

  test('tickets of both stores on one key are each renewed where they are', async () => {
    jest.useFakeTimers();
    try {
      const { storage, setDown } = fallingBack();
      const semaphore = new DistributedSemaphore(storage, 3);
      const before = await semaphore.acquire('k', 5, 0, 'x');
      setDown(true);
      const during = await semaphore.acquire('k', 5, 0, 'x');
      const signals = [before?.signal, during?.signal];
      await jest.advanceTimersByTimeAsync(2_500);
      setDown(false);
      await jest.advanceTimersByTimeAsync(10_000);
      expect(signals.map((signal) => signal?.aborted)).toEqual([false, false]);
      setDown(true);
      await jest.advanceTimersByTimeAsync(3_500);
      expect(signals.map((signal) => signal?.aborted)).toEqual([true, false]);
      await semaphore.destroy();
    } finally {
      jest.useRealTimers();
    }
  });

  test('who waits when the store goes down is served by the other one', async () => {
    const { storage, setDown } = fallingBack();
    const semaphore = new DistributedSemaphore(storage, 30);
    await semaphore.acquire('k', 1, 0, 'x');
    const waiting = semaphore.acquire('k', 1, 20_000, 'x');
    await new Promise((resolve) => setTimeout(resolve, 20));
    setDown(true);
    const ticket = await waiting;
    expect(ticket).not.toBeNull();
    expect(await ticket?.release()).toBe(true);
    await semaphore.destroy();
  }, 20_000);

  test.each([0, 20_000])(
    'S-13: what a call of %d ms took without an answer goes back, though the other store granted its ticket',
    async (waitMs) => {
      const { storage, primary, own, loseReply } = fallingBack();
      const semaphore = new DistributedSemaphore(storage);
      loseReply();
      const ticket = await semaphore.acquire('k', 1, waitMs, 'x');
      expect([await primary.exists('k:sem'), await own.exists('k:sem')]).toEqual([true, true]);
      await untilBack(storage);
      while (await primary.exists('k:sem')) await new Promise((resolve) => setTimeout(resolve, 2));
      expect(ticket?.signal.aborted).toBe(false);
      expect(await ticket?.release()).toBe(true);
      expect(await own.exists('k:sem')).toBe(false);
      await semaphore.destroy();
    },
  );

  test('who waits in one store, then in the other, and then in the first again, has one ticket, where it asked last', async () => {
    const { storage, primary, own, setDown } = fallingBack();
    const semaphore = new DistributedSemaphore(storage, 30);
    const queued = async (store: StorageAdapter, count = 1): Promise<void> => {
      const look = new DistributedSemaphore(store);
      while ((await look.inspect('k')).queueLength !== count) {
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    };
    const there = await semaphore.acquire('k', 1, 0, 'x');
    const waiting = semaphore.acquire('k', 1, 20_000, 'x');
    await queued(primary);
    setDown(true);
    const here = await semaphore.acquire('k', 1, 0, 'x');
    await queued(own);
    setDown(false);
    await untilBack(storage);
    await queued(own, 0);
    await queued(primary);
    expect(await here?.release()).toBe(true);
    expect(await there?.release()).toBe(true);
    const ticket = await waiting;
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(ticket?.signal.aborted).toBe(false);
    expect(await ticket?.release()).toBe(true);
    expect([await primary.keys(), await own.keys()]).toEqual([[], []]);
    await semaphore.destroy();
  }, 20_000);

  test('a planned step is known to be of the store it was sent to', async () => {
    const { storage, own, setDown } = fallingBack();
    const semaphore = new DistributedSemaphore(storage);
    setDown(true);
    await storage.get('notice');
    const plan = semaphore.planAcquire('k', 1, 'x');
    const [result] = (await storage.current?.().executeTogether?.([plan.call])) ?? [];
    const ticket = plan.settle(result);
    setDown(false);
    await untilBack(storage);
    expect(await ticket?.release()).toBe(true);
    expect(await own.keys()).toEqual([]);
    await semaphore.destroy();
  });

  test('nothing is remembered of tickets that are gone', async () => {
    const { storage } = fallingBack();
    const semaphore = new DistributedSemaphore(storage);
    for (let cycle = 0; cycle < 50; cycle++) {
      const ticket = await semaphore.acquire('k', 1, 0, 'x');
      expect(await semaphore.acquire('k', 1, 0, 'x')).toBeNull();
      await ticket?.release();
    }
    expect(await storage.keys()).toEqual([]);
    await semaphore.destroy();
  });
});
