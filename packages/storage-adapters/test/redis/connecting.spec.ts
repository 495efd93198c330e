import {
  startRedis,
  startTcpProxy,
  type RedisServer,
  type TcpProxy,
} from '@frontmcp/guard-services';
import { Redis } from 'ioredis';
import { createClient } from 'redis';

import { createRedisStorage } from '../../src/redis.js';
import { openRedis } from '../../src/redis/open-redis.js';
import { RedisStorage } from '../../src/redis/redis-storage.js';
import { createTestLogger } from '../test-logger.js';
import { until } from '../until.js';
import { libraries as everyLibrary, openThrough, type LibraryName } from './libraries.js';

let server: RedisServer;
let proxy: TcpProxy;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());
beforeEach(async () => {
  proxy = await startTcpProxy(server);
});
afterEach(() => proxy.stop());

const logger = createTestLogger();
const names = Object.keys(everyLibrary) as LibraryName[];
const url = (): string => `redis://127.0.0.1:${proxy.port}`;
const loadNodeRedis = async () => ({ name: 'redis' as const, module: await import('redis') });

const libraries = {
  ioredis: () => createRedisStorage({ url: url() }, { logger }),
  'node-redis': async () =>
    new RedisStorage(await openRedis({ url: url() }, logger, loadNodeRedis), logger),
};

describe.each(Object.entries(libraries))('through %s', (_, open) => {
  test('connecting again while connected, or twice at once, is one connection', async () => {
    const storage = await open();
    await Promise.all([storage.connect(), storage.connect()]);
    await storage.connect();
    expect(proxy.counts.connections).toBe(1);
    await storage.disconnect();
    await storage.disconnect();
  });

  test('a server that is not there is an error at once, and found once it is there', async () => {
    proxy.refuse();
    const storage = await open();
    await expect(storage.connect()).rejects.toThrow();
    proxy.accept();
    for (let isConnected = false; !isConnected;) {
      isConnected = await storage.connect().then(
        () => true,
        () => false,
      );
    }
    expect(await storage.ping()).toBe(true);
    await storage.disconnect();
  });

  test('a connection that is lost is made again, and what was sent over it is not', async () => {
    const storage = await open();
    await storage.connect();
    await storage.set('k', '0');
    await storage.incr('k');
    proxy.dropReplies(1);
    await expect(storage.incr('k')).rejects.toThrow();
    await until(() => storage.ping());
    expect(await storage.get('k')).toBe('2');
    await storage.disconnect();
  });

  test('what is asked for while the connection is away is refused, and not sent later', async () => {
    const storage = await open();
    await storage.connect();
    await storage.set('k', '0');
    proxy.refuse();
    proxy.cut();
    for (let failure: unknown; !isNotSent(failure);) {
      failure = await storage.incr('k').catch((error: unknown) => error);
    }
    const before = await server.call('GET', 'k');
    await expect(storage.incr('k')).rejects.toMatchObject({ wasSent: false });
    proxy.accept();
    await until(() => storage.ping());
    expect(await storage.get('k')).toBe(before);
    await storage.disconnect();
  });

  test('a subscription survives a lost connection', async () => {
    const storage = await open();
    await storage.connect();
    const heard: string[] = [];
    await storage.subscribe('channel', (message) => heard.push(message));
    await server.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await until(async () => (await server.call('PUBLISH', 'channel', 'message')) !== 0);
    await until(() => heard.length > 0);
    expect(heard[0]).toBe('message');
    await storage.disconnect();
  });
});

test.each(names)('a connection lost while it is made is made again through %s', async (library) => {
  proxy.dropReplies(1);
  const storage = await openThrough(library, { url: url() }, logger);
  const isUp = async () => {
    await storage.connect();
    return storage.ping();
  };
  await until(() => isUp().catch(() => false));
  expect(proxy.counts.connections).toBe(2);
  await storage.disconnect();
});

function isNotSent(failure: unknown): boolean {
  return typeof failure === 'object' && (failure as { wasSent?: unknown }).wasSent === false;
}

test.each([
  ['ioredis', (port: number) => new Redis(port, { lazyConnect: true, connectTimeout: 60_000 })],
  ['node-redis', (port: number) => createClient({ socket: { port, connectTimeout: 60_000 } })],
] as const)(
  'asking a server that takes connections and says nothing leaves nothing on a client of %s',
  async (_, create) => {
    proxy.stall();
    const client = create(proxy.port);
    client.on('error', () => undefined);
    const storage = await createRedisStorage({ client }, { logger });
    const outcomes = Array.from({ length: 20 }, () => storage.connect().catch(() => undefined));
    await Promise.resolve();
    const counts = ['ready', 'error', 'close', 'end'].map((event) =>
      (client as { listenerCount(name: string): number }).listenerCount(event),
    );
    expect(Math.max(...counts)).toBeLessThanOrEqual(3);
    proxy.cut();
    proxy.refuse();
    if ('destroy' in client) client.destroy();
    else client.disconnect();
    await Promise.all(outcomes);
  },
);
