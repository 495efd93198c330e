import { GuardStorageUnavailableError, SlidingWindowRateLimiter } from '@frontmcp/guard';
import {
  startRedis,
  startTcpProxy,
  startUpstashBridge,
  type RedisServer,
  type TcpProxy,
  type UpstashBridge,
} from '@frontmcp/guard-services';
import { createStorage, type StorageConfig } from '@frontmcp/guard-storage-adapters';

import { TEN_YEARS_MS } from './ten-years.ts';

const TIMEOUT_MS = 800;
/** What a machine with other work may take on top. */
const SLACK_MS = 3_000;

let server: RedisServer;
let proxy: TcpProxy;
const opened: { disconnect(): Promise<void> }[] = [];

/** Loads the client, which may take longer than a call may. */
beforeAll(async () => {
  server = await startRedis();
  await counted();
  await disconnectAll();
  await server.stop();
}, 60_000);

beforeEach(async () => {
  server = await startRedis();
  proxy = await startTcpProxy(server);
});

afterEach(async () => {
  await disconnectAll();
  await proxy.stop();
  await server.stop();
});

async function disconnectAll(): Promise<void> {
  await Promise.all(opened.splice(0).map((storage) => storage.disconnect()));
}

function createLogger() {
  const lines: string[] = [];
  return {
    lines,
    info: (line: string) => void lines.push(line),
    warn: (line: string) => void lines.push(line),
  };
}

/** A limiter on Redis behind the proxy, and what its storage logs. */
async function openLimiter(config: Omit<StorageConfig, 'type' | 'redis'> = {}) {
  const logger = createLogger();
  const redis = { url: `redis://127.0.0.1:${proxy.port}` };
  const storage = await createStorage(
    { type: 'redis', redis, fallback: 'error', timeoutMs: TIMEOUT_MS, ...config },
    { logger },
  );
  opened.push(storage);
  const limiter = new SlidingWindowRateLimiter(storage, { rememberDenied: false });
  return { storage, limiter, lines: logger.lines };
}

const check = (limiter: SlidingWindowRateLimiter, max = 100) =>
  limiter.check('k', max, TEN_YEARS_MS);

/** What is counted on the server. */
async function counted(): Promise<number> {
  const limiter = await openLimiterDirectly();
  return (await limiter.peek('k', 100, TEN_YEARS_MS)).currentCount;
}

async function openLimiterDirectly(): Promise<SlidingWindowRateLimiter> {
  const storage = await createStorage({
    type: 'redis',
    redis: { url: server.url },
    fallback: 'error',
    timeoutMs: 30_000,
  });
  opened.push(storage);
  return new SlidingWindowRateLimiter(storage);
}

/** Calls until the storage has changed to another store, and leaves it time to do so. */
async function backFrom(
  storage: { readonly epoch?: number | undefined },
  epoch: number | undefined,
  call: () => Promise<unknown>,
): Promise<void> {
  while (storage.epoch === epoch) {
    await call();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Tries until it succeeds, as callers do. */
async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof GuardStorageUnavailableError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

test('B-42: a server that takes calls and never answers is a typed error in time, then at once, and is used again', async () => {
  const { limiter, lines } = await openLimiter();
  await check(limiter);
  server.pause();
  const sentMs = performance.now();
  await expect(check(limiter)).rejects.toThrow(
    `Storage call execute(sliding-window.consume) did not answer within ${TIMEOUT_MS} ms`,
  );
  expect(performance.now() - sentMs).toBeLessThan(TIMEOUT_MS + SLACK_MS);
  proxy.resetCommands();
  for (let count = 0; count < 100; count++) {
    await expect(check(limiter)).rejects.toThrow('Storage is down');
  }
  expect(proxy.commands().filter(([name]) => name === 'evalsha')).toEqual([]);
  server.resume();
  expect((await eventually(() => check(limiter))).allowed).toBe(true);
  expect(lines).toEqual([
    'Storage is down: calls fail until it answers',
    'Storage answers again: calls go to it',
  ]);
}, 20_000);

test('B-43: with memory to fall back to, calls are served while the server is away, and go back to it', async () => {
  const { limiter, storage, lines } = await openLimiter({ fallback: 'memory' });
  expect((await check(limiter, 2)).remaining).toBe(1);
  server.pause();
  expect((await check(limiter, 2)).remaining).toBe(1);
  expect((await check(limiter, 2)).remaining).toBe(0);
  expect((await check(limiter, 2)).allowed).toBe(false);
  const epoch = storage.epoch;
  server.resume();
  await backFrom(storage, epoch, () => limiter.peek('k', 2, TEN_YEARS_MS));
  expect((await limiter.peek('k', 3, TEN_YEARS_MS)).currentCount).toBeGreaterThanOrEqual(1);
  expect(lines).toEqual([
    'Storage is down: until it answers, each instance counts in its own memory',
    'Storage answers again: calls go to it',
  ]);
}, 20_000);

test('[ST-09] a server that is not there at the start is a typed error in time', async () => {
  await server.kill();
  await expect(openLimiter()).rejects.toBeInstanceOf(GuardStorageUnavailableError);
}, 20_000);

test('[ST-10] with memory to fall back to, a server that is not there at the start is used once it is', async () => {
  proxy.refuse();
  const { limiter, storage } = await openLimiter({ fallback: 'memory' });
  expect((await check(limiter)).allowed).toBe(true);
  const epoch = storage.epoch;
  proxy.accept();
  await backFrom(storage, epoch, () => limiter.peek('k', 100, TEN_YEARS_MS));
  await check(limiter);
  expect(await counted()).toBe(1);
}, 20_000);

test('B-02: a server that forgets its scripts is sent them again, and nothing is counted twice', async () => {
  const { limiter } = await openLimiter();
  await check(limiter);
  await server.call('SCRIPT', 'FLUSH');
  proxy.resetCommands();
  expect((await check(limiter)).currentCount).toBe(2);
  expect(proxy.commands().map(([name]) => name)).toEqual(['evalsha', 'eval']);
  expect((await check(limiter)).currentCount).toBe(3);
  expect(proxy.commands().map(([name]) => name)).toEqual(['evalsha', 'eval', 'evalsha']);
});

test('S-46: a server that restarts empty is used as soon as it answers', async () => {
  const { limiter } = await openLimiter();
  await check(limiter);
  await server.restart();
  expect((await eventually(() => check(limiter))).currentCount).toBe(1);
}, 20_000);

test('a reply that is lost after the command ran is an error, and the command is not sent again', async () => {
  const { limiter } = await openLimiter();
  await check(limiter);
  proxy.dropReplies(1);
  const lost = await check(limiter).catch((error: unknown) => error);
  expect(lost).toMatchObject({ code: 'GUARD_STORAGE_UNAVAILABLE', wasSent: true });
  await eventually(() => limiter.peek('k', 100, TEN_YEARS_MS));
  expect(await counted()).toBe(2);
}, 20_000);

test('of 50 calls in flight when the connection is lost, none is counted twice', async () => {
  const { limiter } = await openLimiter();
  await check(limiter);
  proxy.dropReplies(1);
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => check(limiter)));
  const answered = outcomes.filter(({ status }) => status === 'fulfilled').length;
  await eventually(() => limiter.peek('k', 100, TEN_YEARS_MS));
  const count = await counted();
  expect(count).toBeGreaterThanOrEqual(1 + answered);
  expect(count).toBeLessThanOrEqual(51);
  expect(proxy.commands().filter(([name]) => name === 'evalsha').length).toBeLessThanOrEqual(60);
}, 20_000);

test('a server that became a replica is an outage, not an answer', async () => {
  const { limiter } = await openLimiter();
  await check(limiter);
  const other = await startRedis();
  try {
    await server.call('REPLICAOF', other.host, String(other.port));
    const failure = await check(limiter).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(GuardStorageUnavailableError);
    await server.call('REPLICAOF', 'NO', 'ONE');
    expect((await eventually(() => check(limiter))).allowed).toBe(true);
  } finally {
    await other.stop();
  }
}, 20_000);

test('a server that is out of memory refuses what writes, and counts nothing', async () => {
  const { limiter } = await openLimiter();
  await check(limiter);
  await server.call('CONFIG', 'SET', 'maxmemory', '1');
  await expect(check(limiter)).rejects.toBeInstanceOf(GuardStorageUnavailableError);
  await server.call('CONFIG', 'SET', 'maxmemory', '0');
  await eventually(() => limiter.peek('k', 100, TEN_YEARS_MS));
  expect(await counted()).toBe(1);
}, 20_000);

test('disconnect settles the calls that are under way', async () => {
  const { limiter, storage } = await openLimiter({ timeoutMs: 60_000 });
  await check(limiter);
  server.pause();
  const pending = Promise.allSettled(Array.from({ length: 5 }, () => check(limiter)));
  const leftMs = performance.now();
  await storage.disconnect();
  const outcomes = await pending;
  expect(performance.now() - leftMs).toBeLessThan(SLACK_MS);
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: { code: 'GUARD_STORAGE_UNAVAILABLE' },
    });
  }
  server.resume();
}, 20_000);

describe('Upstash', () => {
  let bridge: UpstashBridge;
  beforeEach(async () => {
    bridge = await startUpstashBridge(server);
  });
  afterEach(() => bridge.stop());

  async function openUpstash() {
    const { url, token } = bridge;
    const storage = await createStorage(
      { type: 'upstash', upstash: { url, token }, fallback: 'error', timeoutMs: TIMEOUT_MS },
      { logger: createLogger() },
    );
    opened.push(storage);
    return { storage, limiter: new SlidingWindowRateLimiter(storage, { rememberDenied: false }) };
  }

  test('a reply that is lost after the command ran is an error, and the request is not sent again', async () => {
    const { limiter } = await openUpstash();
    await check(limiter);
    bridge.requests.reset();
    bridge.dropNextReply();
    const lost = await check(limiter).catch((error: unknown) => error);
    expect(lost).toMatchObject({ code: 'GUARD_STORAGE_UNAVAILABLE', wasSent: true });
    expect(bridge.requests.count).toBe(1);
    await eventually(() => limiter.peek('k', 100, TEN_YEARS_MS));
    expect(await counted()).toBe(2);
  }, 20_000);

  test.each([500, 503, 429, 401])(
    'status %d is an outage that ends',
    async (status) => {
      const { limiter } = await openUpstash();
      bridge.failNext(status);
      await expect(check(limiter)).rejects.toBeInstanceOf(GuardStorageUnavailableError);
      expect((await eventually(() => check(limiter))).currentCount).toBe(1);
    },
    20_000,
  );

  test('a server that takes requests and never answers is a typed error in time', async () => {
    const { limiter } = await openUpstash();
    server.pause();
    const sentMs = performance.now();
    await expect(check(limiter)).rejects.toBeInstanceOf(GuardStorageUnavailableError);
    expect(performance.now() - sentMs).toBeLessThan(TIMEOUT_MS + SLACK_MS);
    server.resume();
    expect((await eventually(() => check(limiter))).allowed).toBe(true);
  }, 20_000);

  test('an error tells nothing of what users sent, and no token', async () => {
    const { url } = bridge;
    const config = { type: 'upstash', upstash: { url, token: 'not-the-token' } } as const;
    const failure: unknown = await createStorage({ ...config, fallback: 'error' }).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(GuardStorageUnavailableError);
    const { message, cause } = failure as Error;
    const text = `${message} ${String(cause)}`;
    expect(text).toContain('Storage call connect failed');
    expect(text).not.toContain('not-the-token');
    expect(text).not.toContain('PING');
  });
});
