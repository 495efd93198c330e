import {
  startRedis,
  startRedisCluster,
  startTcpProxy,
  type RedisCluster,
  type RedisServer,
  type TcpProxy,
} from '@frontmcp/guard-services';
import { Cluster } from 'ioredis';
import { createCluster } from 'redis';

import { limitTime } from '../../src/index.js';
import { createRedisStorage } from '../../src/redis.js';
import { createTestLogger } from '../test-logger.js';
import { until } from '../until.js';
import { libraries, openThrough, type LibraryName } from './libraries.js';

let cluster: RedisCluster;
let server: RedisServer;
let proxy: TcpProxy;
beforeAll(async () => {
  [cluster, server] = await Promise.all([startRedisCluster(), startRedis()]);
  proxy = await startTcpProxy(server);
});
afterAll(async () => {
  await proxy.stop();
  await Promise.all([cluster.stop(), server.stop()]);
});

const logger = createTestLogger();
const names = Object.keys(libraries) as LibraryName[];
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The sockets of this process that are connected to a port of the tests' servers. */
function socketCount(): number {
  const ports = new Set([proxy.port, ...cluster.nodes.map(({ port }) => port)]);
  const { _getActiveHandles: handles } = process as unknown as {
    _getActiveHandles(): { readonly remotePort?: number }[];
  };
  return handles.call(process).filter(({ remotePort }) => ports.has(remotePort ?? 0)).length;
}

describe.each(names)('through %s', (library) => {
  const onServer = () => openThrough(library, { url: `redis://127.0.0.1:${proxy.port}` }, logger);
  const onCluster = () => openThrough(library, { cluster: { nodes: [...cluster.seeds] } }, logger);

  test('disconnect while a connection is being made leaves none behind', async () => {
    for (const open of [onServer, onCluster]) {
      for (const ms of [undefined, 0, 1, 2, 4, 8]) {
        const storage = await open();
        const connecting = storage.connect().catch(() => undefined);
        if (ms !== undefined) await pause(ms);
        await storage.disconnect();
        await connecting;
        await expect(storage.get('key')).rejects.toMatchObject({ wasSent: false });
      }
    }
    await pause(200);
    await until(() => socketCount() === 0);
  });

  test('disconnect while a subscription is being made leaves none behind', async () => {
    for (const ms of [undefined, 0, 1, 2]) {
      const storage = await onServer();
      await storage.connect();
      const subscribing = storage.subscribe('channel', () => undefined).catch(() => undefined);
      if (ms !== undefined) await pause(ms);
      await storage.disconnect();
      await subscribing;
    }
    await pause(200);
    await until(() => socketCount() === 0);
  });

  test('a server that takes connections and says nothing is disconnected from', async () => {
    proxy.stall();
    const nodes = [{ host: '127.0.0.1', port: proxy.port }];
    for (const config of [{ cluster: { nodes } }, { config: nodes[0]! }]) {
      const storage = limitTime(await openThrough(library, config, logger), 100);
      await expect(storage.connect()).rejects.toThrow('within 100 ms');
      await expect(storage.connect()).rejects.toThrow('within 100 ms');
      await storage.disconnect();
    }
    proxy.flow();
    await until(() => socketCount() === 0);
  });

  test('connecting twice at once is done when both are', async () => {
    const storage = await onCluster();
    void storage.connect();
    await storage.connect();
    expect(await storage.get('key')).toBeNull();
    await storage.disconnect();
  });
});

test.each([
  [
    'node-redis',
    () => {
      const rootNodes = cluster.nodes.map(({ port }) => ({ socket: { host: '127.0.0.1', port } }));
      const client = createCluster({ rootNodes });
      return Object.assign(client, { close: () => client.destroy() });
    },
  ],
  [
    'ioredis',
    () => {
      const client = new Cluster([...cluster.seeds], {
        lazyConnect: true,
        retryDelayOnFailover: 0,
      });
      return Object.assign(client, { close: () => client.disconnect() });
    },
  ],
])('a given cluster of %s is left without subscriptions, and open', async (_, create) => {
  const client = create();
  client.on('error', () => undefined);
  const storage = await createRedisStorage({ client }, { logger });
  await storage.connect();
  const listeners = client.listenerCount('message');
  await storage.subscribe('left', () => undefined);
  void storage.subscribe('leaving', () => undefined);
  await storage.disconnect();
  const channels = () => Promise.all(cluster.nodes.map((node) => node.call('PUBSUB', 'CHANNELS')));
  await until(async () => (await channels()).flat().length === 0);
  expect(client.listenerCount('message')).toBe(listeners);
  await storage.connect();
  expect(await storage.ping()).toBe(true);
  await storage.disconnect();
  void client.close();
});

test.each(names)('the keys of a cluster that is gone are an error through %s', async (library) => {
  const gone = await startRedisCluster();
  const storage = await openThrough(library, { cluster: { nodes: [...gone.seeds] } }, logger);
  await storage.connect();
  await storage.set('key', 'value', { ttlMs: 60_000 });
  expect(await storage.count()).toBe(1);
  await gone.stop();
  await until(async () => !(await storage.ping()));
  await expect(storage.keys()).rejects.toMatchObject({ wasSent: false });
  await expect(storage.count()).rejects.toMatchObject({ wasSent: false });
  await storage.disconnect();
});
