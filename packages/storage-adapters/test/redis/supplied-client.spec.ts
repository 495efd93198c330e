import { once } from 'node:events';

import { startRedis, startRedisCluster, type RedisServer } from '@frontmcp/guard-services';
import { Cluster, Redis } from 'ioredis';
import { createClient } from 'redis';

import { createRedisStorage } from '../../src/redis.js';
import { createTestLogger } from '../test-logger.js';

let server: RedisServer;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());

async function connectionCount(): Promise<number> {
  return Number(/connected_clients:(\d+)/.exec(String(await server.call('INFO', 'clients')))?.[1]);
}

describe('a given client of ioredis', () => {
  const careful = { autoResendUnfulfilledCommands: false } as const;

  test('is used, stays open, and nothing else does', async () => {
    const client = new Redis(server.port, careful);
    await client.set('theirs', 'value');
    const before = await connectionCount();
    const storage = await createRedisStorage({ client }, { logger: createTestLogger() });
    await storage.connect();
    await storage.subscribe('channel', () => undefined);
    expect(await storage.get('theirs')).toBe('value');
    expect(await connectionCount()).toBe(before + 1);
    await storage.disconnect();
    await expect(storage.get('theirs')).rejects.toMatchObject({ wasSent: false });
    expect(await client.get('theirs')).toBe('value');
    while ((await connectionCount()) > before);
    client.disconnect();
  });

  test.each([
    [{}, 1],
    [careful, 0],
    [{ maxRetriesPerRequest: 0 }, 0],
  ])(
    'with the options %j gets %d warnings that it sends commands again',
    async (options, count) => {
      const client = new Redis(server.port, { ...options, lazyConnect: true });
      const logger = createTestLogger();
      await createRedisStorage({ client }, { logger });
      expect(logger.lines.filter((line) => line.includes('sends commands again'))).toHaveLength(
        count,
      );
      client.disconnect();
    },
  );

  test('that puts a prefix before every key is refused', async () => {
    const client = new Redis(server.port, { keyPrefix: 'x:', lazyConnect: true });
    await expect(createRedisStorage({ client })).rejects.toThrow(
      'storage.redis.client.options.keyPrefix is not supported, got "x:"',
    );
    client.disconnect();
  });

  test('that is not connected is not given a command that it would keep', async () => {
    const client = new Redis(server.port, careful);
    const storage = await createRedisStorage({ client }, { logger: createTestLogger() });
    await storage.connect();
    const ended = once(client, 'end');
    client.disconnect();
    await ended;
    await expect(storage.incr('kept')).rejects.toMatchObject({ wasSent: false });
    await client.connect();
    await client.ping();
    expect(await storage.get('kept')).toBeNull();
    await storage.disconnect();
    client.disconnect();
  });
});

test('a given cluster of ioredis gets a warning unless it fails over without sending again, and keeps its subscriptions', async () => {
  const cluster = await startRedisCluster({ replicasPerMaster: 0 });
  const nodes = [...cluster.seeds];
  const client = new Cluster(nodes);
  const careful = new Cluster(nodes, { retryDelayOnFailover: 0 });
  try {
    const [logger, quiet] = [createTestLogger(), createTestLogger()];
    const storage = await createRedisStorage({ client }, { logger });
    await createRedisStorage({ client: careful }, { logger: quiet });
    expect([logger.lines.length, quiet.lines.length]).toEqual([1, 0]);
    await storage.connect();
    await client.subscribe('theirs');
    await storage.subscribe('ours', () => undefined);
    await storage.disconnect();
    expect(client.status).toBe('ready');
    const heard = new Promise((resolve) => client.on('message', (...message) => resolve(message)));
    await client.publish('theirs', 'message');
    expect(await heard).toEqual(['theirs', 'message']);
  } finally {
    client.disconnect();
    careful.disconnect();
    await cluster.stop();
  }
}, 30_000);

test('a given client of node-redis is used, stays open, and nothing else does', async () => {
  const client = createClient({ url: server.url });
  await client.connect();
  const before = await connectionCount();
  const logger = createTestLogger();
  const storage = await createRedisStorage({ client }, { logger });
  await storage.connect();
  await storage.subscribe('channel', () => undefined);
  await storage.set('ours', 'value');
  expect(await connectionCount()).toBe(before + 1);
  await storage.disconnect();
  expect(await client.get('ours')).toBe('value');
  while ((await connectionCount()) > before);
  expect(logger.lines).toEqual([]);
  client.destroy();
});
