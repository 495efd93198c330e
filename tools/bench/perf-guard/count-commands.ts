import {
  createGuardManager,
  createStorage,
  DistributedSemaphore,
  SlidingWindowRateLimiter,
} from '@frontmcp/guard';
import { startRedis, startTcpProxy, type TcpProxy } from '@frontmcp/guard-services';
import type { Figures } from './judge.ts';

const CALLS = 20;
const TOGETHER = Array.from({ length: 100 }, (_, at) => `key ${String(at)}`);
const DAY_MS = 86_400_000;
const rate = { windowMs: DAY_MS, maxRequests: 1_000_000 };

export interface Counts {
  readonly commands: Figures['commands'];
  readonly roundTrips: Figures['round trips'];
}

/**
 * Counts the commands that a call sends to a real redis-server, and its round trips, by a proxy between the two.
 *
 * @throws if there is no redis-server.
 */
export async function countCommands(): Promise<Counts> {
  const server = await startRedis();
  const proxy = await startTcpProxy(server);
  try {
    return await countThrough(proxy);
  } finally {
    await proxy.stop();
    await server.stop();
  }
}

async function countThrough(proxy: TcpProxy): Promise<Counts> {
  const commands: Record<string, number> = {};
  const roundTrips: Record<string, number> = {};
  const count = async (what: string, run: (at: number) => Promise<unknown>): Promise<void> => {
    proxy.resetCommands();
    const before = proxy.counts.roundTrips;
    for (let at = 0; at < CALLS; at++) await run(at);
    commands[what] = proxy.commands().length / CALLS;
    roundTrips[what] = (proxy.counts.roundTrips - before) / CALLS;
  };
  const config = {
    type: 'redis',
    redis: { url: `redis://127.0.0.1:${String(proxy.port)}` },
    fallback: 'error',
    timeoutMs: 30_000,
  } as const;

  const storage = await createStorage(config);
  const limiter = new SlidingWindowRateLimiter(storage);
  await limiter.check('warm', 10, DAY_MS);
  const check = (key: string): Promise<unknown> =>
    limiter.check(key, rate.maxRequests, rate.windowMs);
  const checkEach = (): Promise<unknown> => Promise.all(TOGETHER.map(check));
  await count('a check on Redis', () => check('key'));
  await checkEach();
  await count('a hundred checks of one turn on Redis', checkEach);
  await limiter.check('denied', 1, rate.windowMs);
  await limiter.check('denied', 1, rate.windowMs);
  await count('a check on Redis of a key that was denied', () =>
    limiter.check('denied', 1, rate.windowMs),
  );

  const semaphore = new DistributedSemaphore(storage);
  await (await semaphore.acquire('warm', 10, 0, 'warm'))?.release();
  const tickets: Awaited<ReturnType<typeof semaphore.acquire>>[] = [];
  await count('an acquire on Redis', async () => {
    tickets.push(await semaphore.acquire('key', CALLS, 0, 'key'));
  });
  await count('a release on Redis', async (at) => tickets[at]?.release());
  await semaphore.destroy();
  await storage.disconnect();

  const manager = await createGuardManager({
    config: {
      enabled: true,
      storage: config,
      global: rate,
      globalConcurrency: { maxConcurrent: CALLS },
      defaultRateLimit: rate,
      defaultConcurrency: { maxConcurrent: CALLS },
    },
  });
  await (await manager.enter('warm')).release();
  const permits: Awaited<ReturnType<typeof manager.enter>>[] = [];
  await count('manager.enter on Redis, two rates and two semaphores', async () => {
    permits.push(await manager.enter('tool'));
  });
  await count('its release', async (at) => permits[at]?.release());
  await manager.destroy();
  return { commands, roundTrips };
}
