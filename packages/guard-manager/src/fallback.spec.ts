import { GuardStorageUnavailableError, type StorageAdapter } from '@frontmcp/guard-core';
import { createMemoryStorage, withFallback } from '@frontmcp/guard-storage-adapters';

import {
  destroyManagers,
  intercept,
  openManager,
  recordingLogger,
  without,
} from '../test/managers.js';

afterEach(destroyManagers);

/** A store that can be taken down. */
function shakyStore() {
  const memory = createMemoryStorage();
  let isDown = false;
  const storage = new Proxy<StorageAdapter>(memory, {
    get(target, property) {
      if (property === 'inProcess') return undefined;
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function' || property === 'supportsPubSub') return value;
      if (property === 'prepare') return undefined;
      if (property === 'ping') return () => Promise.resolve(!isDown);
      const method = value.bind(target) as (...args: unknown[]) => unknown;
      return (...args: unknown[]) =>
        isDown ? Promise.reject(new GuardStorageUnavailableError('Down')) : method(...args);
    },
  });
  return { storage, memory, setDown: (down: boolean) => (isDown = down) };
}

const config = {
  global: { maxRequests: 2, windowMs: 3_600_000 },
  defaultConcurrency: { maxConcurrent: 1 },
};

describe('a manager on a storage of the caller', () => {
  test('bounds every call in time, and says what failed', async () => {
    const memory = createMemoryStorage();
    const hanging = intercept(
      without(memory, 'inProcess', 'prepare'),
      'execute',
      () => new Promise(() => undefined),
    );
    const guard = await openManager(
      { ...config, storage: { fallback: 'error', timeoutMs: 20 } },
      hanging,
      recordingLogger(),
    );
    const check = guard.checkGlobalRateLimit(undefined);
    await expect(check).rejects.toThrow(GuardStorageUnavailableError);
    await expect(check).rejects.toThrow('20 ms');
  });

  test('translates its errors, at the start too', async () => {
    const broken = without(createMemoryStorage(), 'inProcess', 'prepare');
    const failing = intercept(broken, 'execute', () => Promise.reject(new Error('ECONNRESET')));
    const logger = recordingLogger();
    const storage = { fallback: 'error' } as const;
    const guard = await openManager({ ...config, storage }, failing, logger);
    await expect(guard.checkGlobalRateLimit(undefined)).rejects.toMatchObject({
      code: 'GUARD_STORAGE_UNAVAILABLE',
      cause: new Error('ECONNRESET'),
    });
    const refusing = intercept(broken, 'connect', () => Promise.reject(new Error('ECONNREFUSED')));
    await expect(openManager({ storage }, refusing, logger)).rejects.toThrow(
      GuardStorageUnavailableError,
    );
  });

  test('a configured backend beside it is an error that names it', async () => {
    const storage = { type: 'redis', redis: { url: 'redis://h' } } as const;
    await expect(openManager({ storage }, createMemoryStorage())).rejects.toThrow(
      'config.storage.type is given beside a storage of your own',
    );
  });
});

describe('a manager on a storage that goes down', () => {
  test('goes on in memory, the call that met the outage too, and gives each ticket back where it came from', async () => {
    const { storage, memory, setDown } = shakyStore();
    const logger = recordingLogger();
    const own = createMemoryStorage();
    const falling = withFallback(storage, {
      fallback: 'memory',
      logger,
      createMemory: () => own,
      probeIntervalMs: 5,
    });
    const guard = await openManager(config, falling, logger);
    const before = await guard.enter('t');
    setDown(true);
    const during = await guard.enter('t');
    expect(logger.warnings[0]).toContain('each instance counts in its own memory');
    setDown(false);
    while (logger.infos.length === 0) {
      await guard.checkGlobalRateLimit(undefined);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await during.release();
    await before.release();
    const left = [...(await memory.keys()), ...(await own.keys())];
    expect(left.filter((key) => key.endsWith(':sem'))).toEqual([]);
  });

  test('fails at once where it must not fall back', async () => {
    const { storage, setDown } = shakyStore();
    const logger = recordingLogger();
    const guard = await openManager({ ...config, storage: { fallback: 'error' } }, storage, logger);
    setDown(true);
    const refused = guard.run('t', {}, () => 1);
    await expect(refused).rejects.toThrow(GuardStorageUnavailableError);
    await expect(guard.run('t', {}, () => 1)).rejects.toThrow('was not sent');
    const [first, ...others] = logger.warnings;
    expect(first).toBe('Storage is down: calls fail until it answers');
    expect(others.filter((warning) => !warning.startsWith('Cannot withdraw'))).toEqual([]);
    const told = logger.warnings.length;
    for (let call = 0; call < 5; call++) await guard.run('t', {}, () => 1).catch(() => undefined);
    expect(logger.warnings).toHaveLength(told);
  });
});
