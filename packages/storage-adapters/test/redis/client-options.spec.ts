import { inspect } from 'node:util';

import { GuardConfigError } from '@frontmcp/guard-core';
import { startRedis, startTcpProxy, type RedisServer } from '@frontmcp/guard-services';
import { Cluster, Redis } from 'ioredis';
import { createClient, RESP_TYPES } from 'redis';

import type { RedisStorageConfig } from '../../src/create-storage/storage-config.js';
import { createRedisStorage } from '../../src/redis.js';
import { createTestLogger } from '../test-logger.js';
import { libraries, openThrough, type LibraryName } from './libraries.js';

let server: RedisServer;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());

const logger = createTestLogger();
const names = Object.keys(libraries) as LibraryName[];
const ioredis = names.filter((name) => name.startsWith('ioredis'));
const lazy = { lazyConnect: true } as const;

describe.each(ioredis)('through %s', (library) => {
  test('the query of a URL does not have commands sent again', async () => {
    const proxy = await startTcpProxy(server);
    const query =
      'autoResendUnfulfilledCommands=true&enableOfflineQueue=true&maxRetriesPerRequest=20';
    const url = `redis://127.0.0.1:${proxy.port}?${query}`;
    const storage = await openThrough(library, { url }, logger);
    await storage.connect();
    await storage.set('count', '0', { ttlMs: 60_000 });
    await storage.incr('count');
    proxy.dropReplies(1);
    await expect(storage.incr('count')).rejects.toThrow();
    expect(await server.call('GET', 'count')).toBe('2');
    await storage.disconnect();
    await proxy.stop();
  });

  test.each<RedisStorageConfig>([
    { url: 'redis://127.0.0.1:1?keyPrefix=p:' },
    { config: { keyPrefix: 'p:' } },
    { cluster: { nodes: ['redis://127.0.0.1:1'], keyPrefix: 'p:' } },
    { cluster: { nodes: ['redis://127.0.0.1:1'], redisOptions: { keyPrefix: 'p:' } } },
  ])('a prefix before keys is refused in %j', async (config) => {
    await expect(openThrough(library, config, logger)).rejects.toThrow(
      /^storage\.redis(\.\w+)?\.keyPrefix is not supported, got "p:"/,
    );
  });

  test('numbers are read as numbers, whatever the options say', async () => {
    const config = { host: '127.0.0.1', port: server.port, stringNumbers: true };
    const storage = await openThrough(library, { config }, logger);
    await storage.connect();
    await storage.set('number', '1', { ttlMs: 60_000 });
    expect(await storage.exists('number')).toBe(true);
    expect(await storage.compareAndDelete('number', '1')).toBe(true);
    await storage.disconnect();
  });
});

test.each([
  ['client', () => new Redis({ ...lazy, stringNumbers: true })],
  [
    'cluster',
    () => new Cluster(['redis://127.0.0.1:1'], { ...lazy, redisOptions: { stringNumbers: true } }),
  ],
])('a given %s of ioredis that gives numbers as text is refused', async (_, create) => {
  const client = create();
  await expect(createRedisStorage({ client }, { logger })).rejects.toThrow(
    'storage.redis.client.options.stringNumbers must be false, got true',
  );
  client.disconnect();
});

test('a given client of node-redis that gives Buffers is read as text all the same', async () => {
  const typeMapping = { [RESP_TYPES.BLOB_STRING]: Buffer };
  const client = createClient({
    url: `redis://127.0.0.1:${server.port}`,
    commandOptions: { typeMapping },
  });
  client.on('error', () => undefined);
  const storage = await createRedisStorage({ client }, { logger });
  await storage.connect();
  await storage.set('text', 'value', { ttlMs: 60_000 });
  expect(await storage.get('text')).toBe('value');
  expect(await storage.keys('tex?')).toEqual(['text']);
  await storage.disconnect();
  client.destroy();
});

describe.each(names)('through %s', (library) => {
  test.each([
    'host.internal:6379',
    'http://:secret@host.internal:6379',
    'reddis://:secret@host.internal:6379',
    'redis:secret',
    'redis://:secret@host.internal:port',
    'redis://:sec%ret@host.internal:6379',
    '',
  ])('%j is no URL, and none of it is in the error', async (url) => {
    for (const config of [{ url }, { cluster: { nodes: [url] } }]) {
      const failure: unknown = await openThrough(library, config, logger).catch(
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(GuardConfigError);
      expect(inspect(failure, { depth: 10 })).not.toMatch(/secret@|sec%ret@|redis:secret/);
    }
  });

  test('a password that is refused is not in the error', async () => {
    const config = { host: '127.0.0.1', port: server.port, username: 'u', password: 'hunter2' };
    const storage = await openThrough(library, { config }, logger);
    const failure: unknown = await storage.connect().catch((error: unknown) => error);
    expect(inspect(failure)).toContain('WRONGPASS');
    expect(inspect(failure, { depth: 10, showHidden: true })).not.toContain('hunter2');
    await storage.disconnect();
  });

  test('what users sent is not in the error of a command that is refused', async () => {
    const url = `redis://127.0.0.1:${server.port}`;
    const storage = await openThrough(library, { url }, logger);
    await storage.connect();
    await server.call('ACL', 'SETUSER', 'default', '-set', '-scan');
    for (const call of [
      () => storage.set('alice@example.com', 'hunter2'),
      () => storage.keys('alice@example.com*'),
    ]) {
      const failure: unknown = await call().catch((error: unknown) => error);
      expect(inspect(failure)).toContain('NOPERM');
      expect(inspect(failure, { depth: 10 })).not.toMatch(/alice@example|hunter2/);
    }
    await server.call('ACL', 'SETUSER', 'default', '+@all');
    await storage.disconnect();
  });
});
