import { GuardConfigError, GuardStorageUnavailableError } from '@frontmcp/guard-core';

import { createFaultyStorage } from '../../test/faulty-storage.js';
import { createTestLogger } from '../../test/test-logger.js';
import { connectStorage, createMemoryStorage, GuardStorageFullError } from '../index.js';

const environment = process.env['NODE_ENV'];

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  process.env['NODE_ENV'] = environment;
});

const WARNING = 'warn: Storage is down: until it answers, each instance counts in its own memory';

describe('connectStorage', () => {
  it('[ST-09] rejects with fallback error when the backend cannot be reached, and closes it', async () => {
    const faulty = createFaultyStorage();
    const logger = createTestLogger();
    faulty.fault = 'fails';
    const failure = connectStorage(faulty.storage, { fallback: 'error', logger });
    await expect(failure).rejects.toBeInstanceOf(GuardStorageUnavailableError);
    await expect(failure).rejects.toMatchObject({ cause: faulty.error });
    expect(faulty.calls).toEqual(['connect', 'disconnect']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('[ST-10] starts with fallback memory on counters of this instance when the backend cannot be reached, with a warning', async () => {
    const faulty = createFaultyStorage();
    const logger = createTestLogger();
    faulty.fault = 'fails';
    const storage = await connectStorage(faulty.storage, {
      fallback: 'memory',
      memory: { maxEntries: 1 },
      logger,
    });
    expect(await storage.incr('k')).toBe(1);
    expect(logger.lines).toEqual([WARNING]);
    await expect(storage.incr('other')).rejects.toBeInstanceOf(GuardStorageFullError);
  });

  it('[ST-09] fails by default in production', async () => {
    process.env['NODE_ENV'] = 'production';
    const faulty = createFaultyStorage();
    faulty.fault = 'fails';
    await expect(
      connectStorage(faulty.storage, { logger: createTestLogger() }),
    ).rejects.toBeInstanceOf(GuardStorageUnavailableError);
  });

  it.each(['test', 'development', undefined])(
    '[ST-10] falls back to memory by default where NODE_ENV is %p',
    async (nodeEnvironment) => {
      if (nodeEnvironment === undefined) delete process.env['NODE_ENV'];
      else process.env['NODE_ENV'] = nodeEnvironment;
      const faulty = createFaultyStorage();
      const logger = createTestLogger();
      faulty.fault = 'fails';
      await connectStorage(faulty.storage, { logger });
      expect(logger.lines).toEqual([WARNING]);
    },
  );

  it('[ST-10] falls back to memory by default where the environment may not be read', async () => {
    const known = process.env;
    process.env = new Proxy(
      {},
      {
        get: () => {
          throw new Error('Requires env access');
        },
      },
    );
    try {
      const faulty = createFaultyStorage();
      const logger = createTestLogger();
      faulty.fault = 'fails';
      await connectStorage(faulty.storage, { logger });
      expect(logger.lines).toEqual([WARNING]);
    } finally {
      process.env = known;
    }
  });

  it.each([
    [undefined, 1000],
    [50, 50],
  ])('with timeoutMs %p bounds calls to %d ms', async (timeoutMs, expected) => {
    const faulty = createFaultyStorage();
    const storage = await connectStorage(faulty.storage, {
      fallback: 'error',
      logger: createTestLogger(),
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    faulty.fault = 'hangs';
    const failure = expect(storage.get('k')).rejects.toThrow(
      `did not answer within ${expected} ms`,
    );
    await jest.advanceTimersByTimeAsync(expected);
    await failure;
  });

  it('B-42: falls back within the time when the backend takes the call and never answers', async () => {
    const faulty = createFaultyStorage();
    const logger = createTestLogger();
    const storage = await connectStorage(faulty.storage, {
      fallback: 'memory',
      timeoutMs: 50,
      logger,
    });
    faulty.fault = 'hangs';
    const counted = storage.incr('k');
    await jest.advanceTimersByTimeAsync(50);
    expect(await counted).toBe(1);
    expect(await storage.incr('k')).toBe(2);
  });

  it('does not fall back from a configuration error', async () => {
    const faulty = createFaultyStorage();
    faulty.fault = 'fails';
    faulty.error = new GuardConfigError('storage.redis.url is not a URL');
    await expect(connectStorage(faulty.storage, { fallback: 'memory' })).rejects.toBe(faulty.error);
  });

  it('passes on why connect failed, not why closing failed', async () => {
    const faulty = createFaultyStorage();
    faulty.fault = 'fails';
    faulty.storage.disconnect = () => Promise.reject(new Error('Nothing to close'));
    await expect(connectStorage(faulty.storage, { fallback: 'error' })).rejects.toThrow(
      'Storage call connect failed',
    );
  });

  it('puts nothing around a store in this process', async () => {
    const memory = createMemoryStorage();
    expect(await connectStorage(memory, { fallback: 'memory' })).toBe(memory);
  });

  it('has defaults for everything', async () => {
    const { storage, calls } = createFaultyStorage();
    await (await connectStorage(storage)).disconnect();
    expect(calls).toEqual(['connect', 'disconnect']);
  });

  it.each([
    ['fallback', { fallback: 'memroy' as never }],
    ['timeoutMs', { timeoutMs: 0 }],
  ])('refuses a wrong %s, for a store in this process too', async (name, options) => {
    for (const storage of [createMemoryStorage(), createFaultyStorage().storage]) {
      const failure = connectStorage(storage, options);
      await expect(failure).rejects.toBeInstanceOf(GuardConfigError);
      await expect(failure).rejects.toThrow(name);
    }
  });
});

describe('connectStorage with keepOpen', () => {
  const logger = createTestLogger();

  it.each(['error', 'memory'] as const)(
    'ends what it put around the store, and leaves the store connected, with fallback %s',
    async (fallback) => {
      const faulty = createFaultyStorage();
      const storage = await connectStorage(faulty.storage, { fallback, logger, keepOpen: true });
      const heard: string[] = [];
      await storage.subscribe('c', (message) => heard.push(message));
      faulty.fault = 'fails';
      for (let call = 0; call < 2; call++) await storage.get('k').catch(() => undefined);
      // The probe that is due, and the timer of deadlines, which runs out by itself.
      expect(jest.getTimerCount()).toBe(2);
      faulty.fault = 'none';
      await storage.disconnect();
      expect(jest.getTimerCount()).toBe(0);
      expect(faulty.calls).not.toContain('disconnect');
      expect(await faulty.backend.publish('c', 'late')).toBe(0);
      expect(heard).toEqual([]);
      await expect(storage.get('k')).rejects.toBeInstanceOf(GuardStorageUnavailableError);
      expect(await faulty.storage.get('k')).toBeNull();
    },
  );

  it('leaves the store open when it cannot be connected', async () => {
    const faulty = createFaultyStorage();
    faulty.fault = 'fails';
    const failure = connectStorage(faulty.storage, { fallback: 'error', logger, keepOpen: true });
    await expect(failure).rejects.toBeInstanceOf(GuardStorageUnavailableError);
    expect(faulty.calls).toEqual(['connect']);
  });

  it('does not wait for a store that cannot end a subscription', async () => {
    const faulty = createFaultyStorage();
    const storage = await connectStorage(faulty.storage, { logger, keepOpen: true });
    await storage.subscribe('c', () => undefined);
    faulty.fault = 'fails';
    await storage.disconnect();
    faulty.fault = 'none';
    expect(faulty.calls).toEqual(['connect', 'subscribe', 'unsubscribe']);
  });

  it('leaves a store in this process connected, with its keys and what others subscribed', async () => {
    const memory = createMemoryStorage();
    const storage = await connectStorage(memory, { keepOpen: true });
    expect(storage.inProcess).toBe(true);
    const heard: string[] = [];
    await memory.subscribe('c', (message) => heard.push(`other ${message}`));
    await storage.subscribe('c', (message) => heard.push(`own ${message}`));
    await storage.set('k', 'v');
    await storage.disconnect();
    expect(await memory.get('k')).toBe('v');
    expect(await memory.publish('c', 'late')).toBe(1);
    await jest.advanceTimersByTimeAsync(0);
    expect(heard).toEqual(['other late']);
  });
});
