import { NodeRedisDoor } from './node-redis-door.js';
import { openRedis } from './open-redis.js';

const logger = { info: () => undefined, warn: () => undefined };

/** The options that a client of node-redis is made with. */
async function optionsFor(config: Parameters<typeof openRedis>[0]): Promise<unknown> {
  const made: unknown[] = [];
  const client = { on: () => undefined };
  const module = {
    createClient: (options: object) => (made.push(options), client),
    createCluster: (options: object) => (made.push(options), { ...client, nodeClient: undefined }),
  };
  const door = await openRedis(config, logger, () => Promise.resolve({ name: 'redis', module }));
  expect(door).toBeInstanceOf(NodeRedisDoor);
  return made[0];
}

const own = { RESP: 3, disableOfflineQueue: true };
const socket = (options: object) => expect.objectContaining(options) as object;

test.each([
  [{ host: 'h', port: 1 }, { socket: socket({ host: 'h', port: 1 }) }],
  [
    { host: 'h', db: 2 },
    { socket: socket({ host: 'h' }), database: 2 },
  ],
  [
    { host: 'h', db: 0 },
    { socket: socket({ host: 'h' }), database: 0 },
  ],
  [{ tls: {} }, { socket: socket({ tls: true }) }],
  [{ tls: { ca: 'c' } }, { socket: socket({ tls: true, ca: 'c' }) }],
  [{ socket: { host: 's', path: '/p' } }, { socket: socket({ host: 's', path: '/p' }) }],
  [
    { username: 'u', password: 'p' },
    { username: 'u', password: 'p', socket: socket({}) },
  ],
  [{ RESP: 2 }, { RESP: 2, socket: socket({}) }],
  [{ disableOfflineQueue: false }, { socket: socket({}) }],
])('the options %j of a client are those of node-redis', async (config, options) => {
  expect(await optionsFor({ config })).toEqual({ ...own, ...options });
});

test('a URL goes with options', async () => {
  expect(await optionsFor({ url: 'redis://h:1/2', config: { name: 'n' } })).toEqual({
    url: 'redis://h:1/2',
    name: 'n',
    socket: socket({}),
    ...own,
  });
});

test('a cluster is given its nodes, and its defaults', async () => {
  const nodes = [{ host: 'h', port: 1 }, 'redis://h:2'];
  const defaults = { password: 'p', socket: { tls: true }, disableOfflineQueue: false };
  expect(await optionsFor({ cluster: { nodes, defaults, useReplicas: false } })).toEqual({
    rootNodes: [{ socket: { host: 'h', port: 1 } }, { url: 'redis://h:2' }],
    defaults: { password: 'p', socket: socket({ tls: true }), disableOfflineQueue: true },
    RESP: 3,
    useReplicas: false,
  });
});

test.each([[{}], [{ url: 'redis://h', client: {} }], [{ cluster: {}, sentinel: {} }]])(
  'exactly one way to a server has to be named: not %j',
  async (config) => {
    await expect(optionsFor(config)).rejects.toThrow(/^storage\.redis must have exactly one of/);
  },
);

test('what node-redis cannot do is said', async () => {
  await expect(optionsFor({ sentinel: {} })).rejects.toThrow(
    'storage.redis.sentinel needs ioredis',
  );
  for (const nodes of [undefined, [], 'redis://h']) {
    await expect(optionsFor({ cluster: { nodes } })).rejects.toThrow(
      'storage.redis.cluster.nodes must name at least one node',
    );
  }
});

/** What a client of ioredis is made with. */
async function ioredisArgumentsFor(config: Parameters<typeof openRedis>[0]): Promise<unknown[]> {
  const made: unknown[][] = [];
  class Client {
    readonly options = {};
    readonly on = (): void => undefined;
    constructor(...args: unknown[]) {
      made.push(args);
    }
  }
  const module = { Redis: Client, Cluster: Client };
  await openRedis(config, logger, () => Promise.resolve({ name: 'ioredis', module }));
  return made[0] ?? [];
}

const wishes = {
  name: 'n',
  lazyConnect: false,
  autoResendUnfulfilledCommands: true,
  enableOfflineQueue: true,
  enableAutoPipelining: true,
  maxRetriesPerRequest: 20,
  disconnectTimeout: 9_999,
  stringNumbers: true,
};
const once = {
  lazyConnect: true,
  autoResendUnfulfilledCommands: false,
  enableOfflineQueue: false,
  enableAutoPipelining: false,
  maxRetriesPerRequest: 0,
  disconnectTimeout: 100,
  stringNumbers: false,
};

test('what a client of ioredis must not do comes before what is wished', async () => {
  expect(await ioredisArgumentsFor({ url: 'redis://h', config: wishes })).toEqual([
    once,
    'redis://h',
    expect.objectContaining({ name: 'n' }),
  ]);
});

test('one for Sentinel does not either, and hears of a failover', async () => {
  const [options] = await ioredisArgumentsFor({ sentinel: wishes });
  expect(options).toMatchObject({ ...once, name: 'n', failoverDetector: true });
  const [own] = await ioredisArgumentsFor({ sentinel: { failoverDetector: false } });
  expect(own).toMatchObject({ failoverDetector: false });
});

test('one looks for its server with pauses up to a second, and anew when it is a replica', async () => {
  const [, , options] = await ioredisArgumentsFor({ config: {} });
  const { retryStrategy, reconnectOnError } = options as {
    retryStrategy(attempt: number): number;
    reconnectOnError(error: Error): boolean;
  };
  expect([1, 2, 20, 1_000].map(retryStrategy)).toEqual([50, 100, 1_000, 1_000]);
  expect(reconnectOnError(new Error('READONLY You can not'))).toBe(true);
  expect(reconnectOnError(new Error('ERR READONLY'))).toBe(false);
});

test('a cluster of ioredis sends once, to masters', async () => {
  const nodes = ['redis://h:1'];
  const cluster = {
    nodes,
    clusterRetryStrategy: undefined,
    lazyConnect: false,
    enableAutoPipelining: true,
    scaleReads: 'slave',
    retryDelayOnFailover: 100,
    retryDelayOnClusterDown: 100,
    redisOptions: { ...wishes, enableOfflineQueue: undefined, lazyConnect: undefined },
  };
  expect(await ioredisArgumentsFor({ cluster })).toEqual([
    nodes,
    {
      clusterRetryStrategy: undefined,
      lazyConnect: true,
      enableAutoPipelining: false,
      scaleReads: 'master',
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      redisOptions: expect.objectContaining({
        name: 'n',
        autoResendUnfulfilledCommands: false,
        maxRetriesPerRequest: 0,
        disconnectTimeout: 100,
        stringNumbers: false,
      }) as object,
    },
  ]);
});
