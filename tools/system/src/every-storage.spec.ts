import { createGuardManager, type GuardConfig, type GuardManager } from '@frontmcp/guard';
import {
  startRedis,
  startUpstashBridge,
  type RedisServer,
  type UpstashBridge,
} from '@frontmcp/guard-services';
import { createStorage } from '@frontmcp/guard-storage-adapters';

import { TEN_YEARS_MS } from './ten-years.ts';

let server: RedisServer;
let bridge: UpstashBridge;
beforeAll(async () => {
  server = await startRedis();
  bridge = await startUpstashBridge(server);
});
afterAll(async () => {
  await bridge.stop();
  await server.stop();
});
beforeEach(() => server.call('FLUSHALL'));

type Storage = NonNullable<GuardConfig['storage']>;

const storages: Readonly<Record<string, { config(): Storage; hasPubSub: boolean }>> = {
  memory: { config: () => ({ type: 'memory' }), hasPubSub: true },
  redis: { config: () => ({ type: 'redis', redis: { url: server.url } }), hasPubSub: true },
  'upstash with enablePubSub': {
    config: () => {
      const { url, token } = bridge;
      return { type: 'upstash', upstash: { url, token, enablePubSub: true } };
    },
    hasPubSub: true,
  },
  upstash: {
    config: () => ({ type: 'upstash', upstash: { url: bridge.url, token: bridge.token } }),
    hasPubSub: false,
  },
  'vercel-kv': {
    config: () => ({ type: 'vercel-kv', vercelKv: { url: bridge.url, token: bridge.token } }),
    hasPubSub: false,
  },
};

describe.each(Object.entries(storages))('a guard on %s', (_, { config, hasPubSub }) => {
  const guards: GuardManager[] = [];

  const createGuard = async (): Promise<GuardManager> => {
    const guard = await createGuardManager({
      config: {
        enabled: true,
        storage: { ...config(), fallback: 'error', timeoutMs: 10_000 },
        defaultRateLimit: { maxRequests: 3, windowMs: TEN_YEARS_MS },
        globalConcurrency: { maxConcurrent: 1, queueTimeoutMs: 10_000 },
      },
      logger: { info: () => undefined, warn: () => undefined },
    });
    guards.push(guard);
    return guard;
  };

  afterEach(async () => {
    await Promise.all(guards.splice(0).map((guard) => guard.destroy()));
  });

  test('[ST-03] counts calls, and refuses those over the limit', async () => {
    const guard = await createGuard();
    const checks = await Promise.all(
      Array.from({ length: 5 }, () => guard.checkRateLimit('tool', undefined, undefined)),
    );
    expect(checks.filter(({ allowed }) => allowed)).toHaveLength(3);
  });

  test('[SEM-13] [ST-20] has one caller at a time, and the next wait for it', async () => {
    const guard = await createGuard();
    const served: number[] = [];
    let inside = 0;
    const call = (caller: number): Promise<void> =>
      guard.run(`tool-${caller}`, {}, async () => {
        expect(++inside).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 5));
        inside--;
        served.push(caller);
      });
    await Promise.all([call(1), call(2), call(3)]);
    expect(served.sort()).toEqual([1, 2, 3]);
  }, 20_000);

  test('[SEM-14] [ST-25] says whether it has publish/subscribe', async () => {
    const storage = await createStorage({ ...config(), fallback: 'error', timeoutMs: 10_000 });
    expect(storage.supportsPubSub()).toBe(hasPubSub);
    await storage.disconnect();
  });
});
