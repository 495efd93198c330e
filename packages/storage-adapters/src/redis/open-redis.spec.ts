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
  [{ disableOfflineQueue: false }, { socket: socket({}) }],
])('the options %j of a client are those of node-redis', async (config, options) => {
  expect(await optionsFor({ config })).toEqual({ ...options, disableOfflineQueue: true });
});

test('a URL goes with options', async () => {
  expect(await optionsFor({ url: 'redis://h:1/2', config: { name: 'n' } })).toEqual({
    url: 'redis://h:1/2',
    name: 'n',
    socket: socket({}),
    disableOfflineQueue: true,
  });
});

test('a cluster is given its nodes, and its defaults', async () => {
  const nodes = [{ host: 'h', port: 1 }, 'redis://h:2'];
  const defaults = { password: 'p', socket: { tls: true }, disableOfflineQueue: false };
  expect(await optionsFor({ cluster: { nodes, defaults, useReplicas: false } })).toEqual({
    rootNodes: [{ socket: { host: 'h', port: 1 } }, { url: 'redis://h:2' }],
    defaults: { password: 'p', socket: socket({ tls: true }), disableOfflineQueue: true },
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
