import { startRedis, startRedisSentinel, type RedisServer } from '@frontmcp/guard-services';
import type { AtomicOperation, AtomicState } from '@frontmcp/guard-core';
import { Redis } from 'ioredis';
import { createClient } from 'redis';

import { createRedisStorage } from '../../src/redis.js';
import { createTestLogger } from '../test-logger.js';
import { onSupplied } from './supplied.js';

let server: RedisServer;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());

/** Publishes to a channel. Results in whether anybody can have heard it. */
const call: AtomicOperation<AtomicState, string, boolean> = {
  name: 'test.call',
  decide: () => ({ result: true, admitted: true }),
  script: {
    source: `return publish(args[1], 'message') and 1 or 0, true`,
    encode: (channel) => [channel],
    decode: (reply) => reply === 1,
  },
};

const logger = createTestLogger();

test.each([
  ['a client of ours', () => createRedisStorage({ url: server.url }, { logger })],
  ['a client of ioredis', () => onSupplied(new Redis(server.port, { lazyConnect: true }))],
  ['a client of node-redis', () => onSupplied(createClient({ url: server.url }))],
])('on one server, %s knows whether a message of a step was heard', async (_, open) => {
  const storage = await open();
  await storage.connect();
  expect(await storage.execute!(call, 'k', 'followed')).toBe(false);
  const end = await storage.subscribe('followed', () => undefined);
  expect(await storage.execute!(call, 'k', 'followed')).toBe(true);
  expect(await storage.execute!(call, 'k', 'another')).toBe(false);
  await end();
  await storage.disconnect();
});

test('behind Sentinel, where a subscriber may be on another server, every message counts as heard', async () => {
  const { name, sentinels, stop } = await startRedisSentinel();
  try {
    const addresses = sentinels.map(({ host, port }) => ({ host, port }));
    const storage = await createRedisStorage(
      { sentinel: { name, sentinels: addresses } },
      { logger },
    );
    await storage.connect();
    expect(await storage.execute!(call, 'k', 'followed')).toBe(true);
    await storage.disconnect();
  } finally {
    await stop();
  }
}, 30_000);
