import { GuardStorageUnavailableError, type StorageAdapter } from '@frontmcp/guard-core';
import { createMemoryStorage, withFallback } from '@frontmcp/guard-storage-adapters';

import { destroyManagers, openManager, recordingLogger } from '../test/managers.js';

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
    const guard = await openManager(config, falling);
    const before = await guard.enter('t');
    setDown(true);
    const during = await guard.enter('t');
    expect(logger.warnings).toHaveLength(1);
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
    const guard = await openManager(config, withFallback(storage, { fallback: 'error', logger }));
    setDown(true);
    const refused = guard.run('t', {}, () => 1);
    await expect(refused).rejects.toThrow(GuardStorageUnavailableError);
    await expect(guard.run('t', {}, () => 1)).rejects.toThrow('was not sent');
    expect(logger.warnings).toHaveLength(1);
  });
});
