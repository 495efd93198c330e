import {
  createGuardManager,
  DistributedSemaphore,
  SlidingWindowRateLimiter,
  type GuardManager,
} from '@frontmcp/guard';
import {
  startRedis,
  startTcpProxy,
  type RedisServer,
  type TcpProxy,
} from '@frontmcp/guard-services';
import { createStorage } from '@frontmcp/guard-storage-adapters';

import { TEN_YEARS_MS } from './ten-years.ts';

let server: RedisServer;
let proxy: TcpProxy;
let storage: Awaited<ReturnType<typeof createStorage>>;
let semaphore: DistributedSemaphore;

beforeAll(async () => {
  server = await startRedis();
  proxy = await startTcpProxy(server);
  const url = `redis://127.0.0.1:${proxy.port}`;
  storage = await createStorage({
    type: 'redis',
    redis: { url },
    fallback: 'error',
    timeoutMs: 30_000,
  });
  semaphore = new DistributedSemaphore(storage);
});

afterAll(async () => {
  await semaphore.destroy();
  await storage.disconnect();
  await proxy.stop();
  await server.stop();
});

/** The names of the commands that a piece of work sends. */
async function commandsOf(work: () => Promise<unknown>): Promise<string[]> {
  proxy.resetCommands();
  await work();
  return proxy.commands().map(([name]) => name ?? '');
}

describe('a check', () => {
  test('is one command, whether it is admitted or denied', async () => {
    const limiter = new SlidingWindowRateLimiter(storage, { rememberDenied: false });
    await limiter.check('first', 1, TEN_YEARS_MS);
    expect(await commandsOf(() => limiter.check('k', 1, TEN_YEARS_MS))).toEqual(['evalsha']);
    expect(await commandsOf(() => limiter.check('k', 1, TEN_YEARS_MS))).toEqual(['evalsha']);
    expect(await commandsOf(() => limiter.peek('k', 1, TEN_YEARS_MS))).toEqual(['evalsha']);
  });

  test('writes nothing when it is denied', async () => {
    const limiter = new SlidingWindowRateLimiter(storage, { rememberDenied: false });
    await limiter.check('w', 1, TEN_YEARS_MS);
    await server.call('CONFIG', 'RESETSTAT');
    expect((await limiter.check('w', 1, TEN_YEARS_MS)).allowed).toBe(false);
    const stats = String(await server.call('INFO', 'commandstats'));
    expect(stats).toMatch(/cmdstat_get:calls=1,/);
    expect(stats).not.toMatch(/cmdstat_(set|pexpireat|hset|del):/);
  });

  test('of a denied key is no command for a second, with the memo', async () => {
    const limiter = new SlidingWindowRateLimiter(storage);
    await limiter.check('m', 1, TEN_YEARS_MS);
    const flood = async (): Promise<void> => {
      for (let count = 0; count < 1_000; count++) {
        expect((await limiter.check('m', 1, TEN_YEARS_MS)).allowed).toBe(false);
      }
    };
    expect((await commandsOf(flood)).length).toBeLessThanOrEqual(3);
  });
});

describe.each([1, 10, 1_000])('acquire and release at max %d', (max) => {
  test('are two commands while a slot is free', async () => {
    await (await semaphore.acquire('warm', max, 0, 'warm'))?.release();
    const work = async (): Promise<void> => {
      const ticket = await semaphore.acquire(`free:${max}`, max, 0, 'free');
      await ticket!.release();
    };
    expect(await commandsOf(work)).toEqual(['evalsha', 'evalsha']);
  });

  test('are two commands while others hold all slots but one', async () => {
    const key = `others:${max}`;
    const others = await Promise.all(
      Array.from({ length: max - 1 }, () => semaphore.acquire(key, max, 0, key)),
    );
    const work = async (): Promise<void> => {
      await (await semaphore.acquire(key, max, 0, key))!.release();
    };
    expect(await commandsOf(work)).toEqual(['evalsha', 'evalsha']);
    await Promise.all(others.map((ticket) => ticket!.release()));
  });

  test('are two commands when the slot is handed over', async () => {
    const key = `full:${max}`;
    const holders = await Promise.all(
      Array.from({ length: max }, () => semaphore.acquire(key, max, 0, key)),
    );
    // The first waiter opens the one subscription of the process, and asks once more when it is open.
    const first = semaphore.acquire(key, max, 60_000, key);
    await heard('subscribe');
    await holders[0]!.release();
    const held = await first;
    const keeper = semaphore.acquire(key, max, 60_000, key);
    await queued(key, 1);
    const work = async (): Promise<void> => {
      const waiting = Array.from({ length: 20 }, () => semaphore.acquire(key, max, 60_000, key));
      await queued(key, 21);
      await held!.release();
      await (await keeper)!.release();
      for (const ticket of waiting) await (await ticket)!.release();
    };
    const commands = await commandsOf(work);
    const steps = commands.filter((name) => name !== 'unsubscribe').length;
    // 20 acquires, 22 releases, and looks at the length of the queue, of which `queued` sends its own. The subscription costs
    // itself, a look when it is open, and one for those who asked before that and were answered after it.
    expect(steps - looks).toBeLessThanOrEqual(20 + 22 + 3);
    await Promise.all(holders.slice(1).map((ticket) => ticket!.release()));
  });
});

let looks = 0;

/** Resolves when so many wait for a key. */
async function queued(key: string, count: number): Promise<void> {
  looks = 0;
  for (;;) {
    looks++;
    if ((await semaphore.inspect(key)).queueLength === count) return;
  }
}

/** Resolves when the server was sent such a command. */
async function heard(name: string): Promise<void> {
  while (!proxy.commands().some(([sent]) => sent === name)) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('enter with both rates and both slots', () => {
  let guard: GuardManager;
  beforeAll(async () => {
    guard = await createGuardManager({
      config: {
        enabled: true,
        storage: {
          type: 'redis',
          redis: { url: `redis://127.0.0.1:${proxy.port}` },
          fallback: 'error',
          timeoutMs: 30_000,
        },
        global: { maxRequests: 1_000, windowMs: TEN_YEARS_MS },
        globalConcurrency: { maxConcurrent: 100 },
        defaultRateLimit: { maxRequests: 3, windowMs: TEN_YEARS_MS },
        defaultConcurrency: { maxConcurrent: 2 },
      },
    });
    await (await guard.enter('warm')).release();
  });
  afterAll(() => guard.destroy());

  test('is one command, and one to leave', async () => {
    const work = async (): Promise<void> => {
      const permit = await guard.enter('tool');
      expect(proxy.commands().map(([name]) => name)).toEqual(['evalsha']);
      await permit.release();
    };
    expect(await commandsOf(work)).toEqual(['evalsha', 'evalsha']);
  });

  test('is one command when a slot is full, and nothing of it is left', async () => {
    const permits = [await guard.enter('full'), await guard.enter('full')];
    const before = await guard.checkGlobalRateLimit(undefined);
    const refused = async (): Promise<void> => {
      await expect(guard.enter('full')).rejects.toMatchObject({ code: 'CONCURRENCY_LIMIT' });
    };
    expect(await commandsOf(refused)).toEqual(['evalsha']);
    expect((await guard.checkGlobalRateLimit(undefined)).remaining).toBe(before.remaining - 1);
    await Promise.all(permits.map((permit) => permit.release()));
  });
});
