import { buildStorageKey, SlidingWindowRateLimiter } from '@frontmcp/guard';
import { startRedis, type RedisServer } from '@frontmcp/guard-services';
import { createStorage, namespaceStorage } from '@frontmcp/guard-storage-adapters';

const SUBJECTS = 100_000;
const AT_ONCE = 1_000;

let server: RedisServer;
let storage: Awaited<ReturnType<typeof createStorage>>;

beforeAll(async () => {
  server = await startRedis();
  const redis = { url: server.url };
  storage = await createStorage({ type: 'redis', redis, fallback: 'error', timeoutMs: 30_000 });
});

afterAll(async () => {
  await storage.disconnect();
  await server.stop();
});

/** Resolves when nobody else is connected: what is buffered for a client is memory too. */
async function alone(): Promise<void> {
  const clients = async (): Promise<string> => String(await server.call('INFO', 'clients'));
  while (!/^connected_clients:1\r?$/m.test(await clients()));
}

async function usedMemory(): Promise<number> {
  await alone();
  const info = String(await server.call('INFO', 'memory'));
  return Number(/^used_memory:(\d+)/m.exec(info)?.[1]);
}

const keyOf = (subject: number): string =>
  buildStorageKey('search_docs', `user:${String(subject).padStart(6, '0')}`);

test('a subject of a rate limit takes at most 150 bytes, at 100,000 subjects with keys of 44 characters', async () => {
  const limiter = new SlidingWindowRateLimiter(namespaceStorage(storage, 'mcp:guard'));
  for (let subject = 0; subject < SUBJECTS; subject += AT_ONCE) {
    const checks = Array.from({ length: AT_ONCE }, (_, index) =>
      limiter.check(keyOf(subject + index), 100, 3_600_000),
    );
    await Promise.all(checks);
  }
  await storage.disconnect();
  const name = `mcp:guard:${keyOf(1)}:rl:3600000`;
  expect(name).toHaveLength(44);
  expect(await server.call('PTTL', name)).toBeGreaterThan(0);
  // What the server keeps besides, such as scripts and buffers, is there before and after.
  const full = await usedMemory();
  await server.call('FLUSHALL', 'SYNC');
  const bytes = (full - (await usedMemory())) / SUBJECTS;
  expect(bytes).toBeLessThanOrEqual(150);
}, 120_000);
