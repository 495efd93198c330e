import {
  errorHelp,
  GuardConfigError,
  GuardStorageUnavailableError,
  GuardStorageUnsupportedError,
  type StorageAdapter,
} from '@frontmcp/guard-core';
import { plainOnly, registerStorageConformance } from '@frontmcp/guard-storage-conformance';

import { add } from '../../test/add-operation.js';
import { createFaultyStorage } from '../../test/faulty-storage.js';
import { createTestLogger } from '../../test/test-logger.js';
import { createMemoryStorage, limitTime } from '../index.js';

const LINK = `(see ${errorHelp('GUARD_STORAGE_UNAVAILABLE')})`;

let now = Date.UTC(2026, 0, 1);

registerStorageConformance(
  'limitTime on the memory store',
  { describe, test },
  {
    createStorage: () =>
      limitTime(createMemoryStorage({ clock: () => now, logger: createTestLogger() })),
    advance: (ms) => {
      now += ms;
    },
  },
);

registerStorageConformance(
  'limitTime on a plain store',
  { describe, test },
  {
    createStorage: () => {
      const logger = createTestLogger();
      const memory = createMemoryStorage({ clock: () => now, logger });
      return limitTime(plainOnly(memory, { compare: false }));
    },
    advance: (ms) => {
      now += ms;
    },
    without: ['compare', 'atomic', 'together'],
  },
);

describe('limitTime', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => {
    jest.advanceTimersByTime(1000);
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  const calls: Readonly<Record<string, (storage: StorageAdapter) => Promise<unknown>>> = {
    connect: (storage) => storage.connect(),
    disconnect: (storage) => storage.disconnect(),
    get: (storage) => storage.get('k'),
    set: (storage) => storage.set('k', 'v'),
    delete: (storage) => storage.delete('k'),
    exists: (storage) => storage.exists('k'),
    mget: (storage) => storage.mget(['k']),
    mset: (storage) => storage.mset([{ key: 'k', value: 'v' }]),
    mdelete: (storage) => storage.mdelete(['k']),
    expire: (storage) => storage.expire('k', 1),
    ttl: (storage) => storage.ttl('k'),
    keys: (storage) => storage.keys(),
    count: (storage) => storage.count(),
    incr: (storage) => storage.incr('k'),
    decr: (storage) => storage.decr('k'),
    incrBy: (storage) => storage.incrBy('k', 2),
    publish: (storage) => storage.publish('c', 'm'),
    subscribe: (storage) => storage.subscribe('c', () => undefined),
    compareAndDelete: (storage) => storage.compareAndDelete!('k', 'v'),
    compareAndExpire: (storage) => storage.compareAndExpire!('k', 'v', 1),
    'execute(test.add)': (storage) => storage.execute!(add, 'k', {}),
    executeTogether: (storage) =>
      storage.executeTogether!([{ operation: add, key: 'k', args: {} }]),
  };

  it('covers every method that a store can have', () => {
    const prototype = Object.getPrototypeOf(createMemoryStorage()) as object;
    const known = Object.keys(calls).map((name) => name.replace(/\(.*/, ''));
    const others = ['constructor', 'size', 'ping', 'prepare', 'supportsPubSub'];
    expect([...known, ...others].sort()).toEqual(Object.getOwnPropertyNames(prototype).sort());
  });

  it.each(Object.entries(calls))(
    '[ST-14] bounds %s when the backend never answers',
    async (name, call) => {
      const faulty = createFaultyStorage();
      faulty.fault = 'hangs';
      const failure = call(limitTime(faulty.storage, 50)).catch((error: unknown) => error);
      await jest.advanceTimersByTimeAsync(49);
      expect(jest.getTimerCount()).toBe(1);
      await jest.advanceTimersByTimeAsync(1);
      const error = (await failure) as GuardStorageUnavailableError;
      expect(error).toBeInstanceOf(GuardStorageUnavailableError);
      expect(error.message).toBe(`Storage call ${name} did not answer within 50 ms ${LINK}`);
      expect(error.cause).toMatchObject({ name: 'TimeoutError' });
    },
  );

  it('bounds a prepared step, and names its operation', async () => {
    const faulty = createFaultyStorage();
    const prepared = limitTime(faulty.storage, 50).prepare!(add, 'sum');
    faulty.fault = 'hangs';
    const failure = expect(prepared('k', {})).rejects.toThrow(
      'Storage call execute(test.add) did not answer',
    );
    await jest.advanceTimersByTimeAsync(50);
    await failure;
  });

  it('waits a second by default', async () => {
    const faulty = createFaultyStorage();
    faulty.fault = 'hangs';
    const failure = expect(limitTime(faulty.storage).get('k')).rejects.toThrow('within 1000 ms');
    await jest.advanceTimersByTimeAsync(1000);
    await failure;
  });

  it('has one timer for all calls, which lets the process end and is gone when its time is over', async () => {
    const started = jest.spyOn(globalThis, 'setTimeout');
    const faulty = createFaultyStorage();
    const storage = limitTime(faulty.storage, 100);
    await Promise.all([storage.get('k'), storage.get('k')]);
    faulty.fault = 'fails';
    await expect(storage.get('k')).rejects.toThrow();
    const timer = started.mock.results[0]!.value as NodeJS.Timeout;
    expect([started.mock.calls.length, timer.hasRef()]).toEqual([1, false]);
    await jest.advanceTimersByTimeAsync(100);
    expect(jest.getTimerCount()).toBe(0);
    started.mockRestore();
  });

  it('keeps the process alive while a call is pending, also when the timer was there before it', async () => {
    const started = jest.spyOn(globalThis, 'setTimeout');
    const faulty = createFaultyStorage();
    const storage = limitTime(faulty.storage, 100);
    await storage.get('k');
    await jest.advanceTimersByTimeAsync(60);
    faulty.fault = 'hangs';
    const failure = expect(storage.get('k')).rejects.toThrow('within 100 ms');
    const timer = started.mock.results[0]!.value as NodeJS.Timeout;
    expect(timer.hasRef()).toBe(true);
    await jest.advanceTimersByTimeAsync(99);
    expect(jest.getTimerCount()).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    await failure;
    started.mockRestore();
  });

  it('leaves no timer behind a disconnect', async () => {
    const storage = limitTime(createFaultyStorage().storage);
    await storage.get('k');
    await storage.disconnect();
    expect(jest.getTimerCount()).toBe(0);
  });

  it.each(['result', 'failure'] as const)('drops a %s that comes late', async (outcome) => {
    const faulty = createFaultyStorage();
    faulty.fault = 'hangs';
    const failure = limitTime(faulty.storage, 50)
      .incr('k')
      .catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(50);
    faulty.answer(outcome);
    expect(await failure).toBeInstanceOf(GuardStorageUnavailableError);
    expect(await faulty.backend.get('k')).toBe(outcome === 'result' ? '1' : null);
    await faulty.backend.disconnect();
  });

  it('ends a subscription that comes late, and hears nothing of it before', async () => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask'] });
    const faulty = createFaultyStorage();
    const heard: string[] = [];
    faulty.fault = 'hangs';
    const subscribed = limitTime(faulty.storage, 50)
      .subscribe('c', (message) => heard.push(message))
      .catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(50);
    expect(await subscribed).toBeInstanceOf(GuardStorageUnavailableError);
    faulty.fault = 'none';
    faulty.answer('result');
    expect(await faulty.backend.publish('c', 'late')).toBe(1);
    await jest.advanceTimersByTimeAsync(0);
    expect(heard).toEqual([]);
    expect(await faulty.backend.publish('c', 'later')).toBe(0);
  });

  it('bounds unsubscribe', async () => {
    const faulty = createFaultyStorage();
    const end = await limitTime(faulty.storage, 50).subscribe('c', () => undefined);
    faulty.fault = 'hangs';
    const failure = expect(end()).rejects.toThrow('Storage call unsubscribe did not answer');
    await jest.advanceTimersByTimeAsync(50);
    await failure;
  });

  it.each(['hangs', 'fails'] as const)(
    'has ping answer false when the backend %s',
    async (fault) => {
      const faulty = createFaultyStorage();
      faulty.storage.ping = () => faulty.storage.exists('k');
      faulty.fault = fault;
      const answer = limitTime(faulty.storage, 50).ping();
      await jest.advanceTimersByTimeAsync(50);
      expect(await answer).toBe(false);
    },
  );

  it('gives a failure of the backend one type, with the failure as its cause', async () => {
    const faulty = createFaultyStorage();
    faulty.fault = 'fails';
    const error: unknown = await limitTime(faulty.storage)
      .get('k')
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(GuardStorageUnavailableError);
    expect(error).toMatchObject({
      message: `Storage call get failed ${LINK}`,
      cause: faulty.error,
    });
  });

  it.each([
    ['a TypeError', new TypeError('Storage key must be a string')],
    ['a RangeError', new RangeError('ttlMs must be a positive integer')],
    ['a GuardError', new GuardStorageUnsupportedError('No such thing')],
    ['an unavailable error', new GuardStorageUnavailableError('Disconnected')],
  ])('passes on what the store says about the call: %s', async (_, error) => {
    const faulty = createFaultyStorage();
    faulty.fault = 'fails';
    faulty.error = error;
    await expect(limitTime(faulty.storage).get('k')).rejects.toBe(error);
  });

  it('takes a TypeError with a cause for the broken connection that fetch reports by it', async () => {
    const faulty = createFaultyStorage();
    faulty.fault = 'fails';
    faulty.error = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    await expect(limitTime(faulty.storage).get('k')).rejects.toBeInstanceOf(
      GuardStorageUnavailableError,
    );
  });

  it('turns what a method throws into a rejection', async () => {
    const faulty = createFaultyStorage();
    const broken = (): never => {
      throw new Error('Not connected');
    };
    Object.assign(faulty.storage, { get: broken, subscribe: broken });
    const storage = limitTime(faulty.storage);
    await expect(storage.get('k')).rejects.toThrow('Storage call get failed');
    await expect(storage.subscribe('c', () => undefined)).rejects.toThrow(
      'Storage call subscribe failed',
    );
  });

  it.each([0, -1, NaN, Infinity, 2 ** 31, '50'])('refuses a time of %p', (timeoutMs) => {
    const limit = (): StorageAdapter => limitTime(createMemoryStorage(), timeoutMs as number);
    expect(limit).toThrow(GuardConfigError);
    expect(limit).toThrow(`timeoutMs must be between 1 and 2147483647 ms, got ${timeoutMs}`);
  });

  it('has what the store has, and forwards inProcess and epoch as they are now', () => {
    const inner = {
      ...plainOnly(createMemoryStorage(), { compare: false }),
      epoch: 1,
      inProcess: true,
    };
    const storage = limitTime(inner);
    for (const absent of ['execute', 'executeTogether', 'prepare', 'compareAndDelete', 'current']) {
      expect(storage).not.toHaveProperty(absent);
    }
    inner.epoch = 2;
    inner.inProcess = false;
    expect([storage.epoch, storage.inProcess]).toEqual([2, false]);
  });

  it('bounds the store that the inner one is at now, and gives the same one for the same', async () => {
    const faulty = createFaultyStorage();
    faulty.fault = 'hangs';
    const other = createMemoryStorage();
    let at: StorageAdapter = faulty.storage;
    const storage = limitTime({ ...plainOnly(other), current: () => at }, 50);
    const former = storage.current!();
    expect(storage.current!()).toBe(former);
    at = other;
    expect(await storage.current!().get('k')).toBeNull();
    const failure = expect(former.get('k')).rejects.toThrow('within 50 ms');
    await jest.advanceTimersByTimeAsync(50);
    await failure;
  });
});
