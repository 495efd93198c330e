import { GuardConfigError, type GuardLogger } from '@frontmcp/guard-core';

import type { RedisStorageConfig } from '../create-storage/storage-config.js';
import { assertNoKeyPrefix } from './assert-no-key-prefix.js';
import { assertRedisUrl } from './assert-redis-url.js';
import { IoredisDoor, type IoredisClient } from './ioredis-door.js';
import {
  loadRedisLibrary,
  type IoredisModule,
  type NodeRedisModule,
  type RedisLibrary,
} from './load-redis-client.js';
import { NodeRedisDoor, type NodeRedisClient, type NodeRedisCluster } from './node-redis-door.js';
import type { RedisPort } from './redis-port.js';
import { socketUntil, type NodeRedisSocket } from './socket-until.js';
import { openSuppliedClient } from './supplied-client.js';

/** The ways to name a server. `url` and `config` go together. */
const WAYS = ['client', 'cluster', 'sentinel', 'url'] as const;

/**
 * Makes what connects to Redis, not connected yet.
 *
 * A client that is made here sends nothing twice and keeps nothing for later: `autoResendUnfulfilledCommands`, the offline
 * queue and automatic pipelining of ioredis are off, whatever the options say. It goes on looking for a server that is away.
 *
 * @throws GuardConfigError when it is not clear which server is meant, when no client library is installed, and for options
 * that would change the names of keys.
 */
export async function openRedis(
  config: RedisStorageConfig,
  logger: GuardLogger,
  load: () => Promise<RedisLibrary> = loadRedisLibrary,
): Promise<RedisPort> {
  assertOneWay(config);
  if (config.client !== undefined) return openSuppliedClient(config.client, logger);
  if (config.url !== undefined) assertRedisUrl(config.url, 'storage.redis.url');
  for (const way of ['config', 'cluster', 'sentinel'] as const) {
    assertNoKeyPrefix(config[way], `storage.redis.${way}`);
  }
  const library = await load();
  return library.name === 'ioredis'
    ? new IoredisDoor(() => createPlainIoredis(library.module, config), true)
    : new NodeRedisDoor((life) => createNodeRedis(library.module, config, life), true);
}

function assertOneWay(config: RedisStorageConfig): void {
  const given = WAYS.filter((way) =>
    way === 'url'
      ? config.url !== undefined || config.config !== undefined
      : config[way] !== undefined,
  );
  if (given.length === 1) return;
  const names = 'url or config, client, cluster, sentinel';
  const got = given.length === 0 ? 'none' : given.join(' and ');
  throw new GuardConfigError(`storage.redis must have exactly one of ${names}, got ${got}`);
}

const IOREDIS_OWN = {
  lazyConnect: true,
  autoResendUnfulfilledCommands: false,
  enableOfflineQueue: false,
  enableAutoPipelining: false,
  maxRetriesPerRequest: 0,
  disconnectTimeout: 100,
  stringNumbers: false,
} as const;

const LONGEST_PAUSE_MS = 1_000;

const IOREDIS_DEFAULTS = {
  retryStrategy: (attempt: number): number => Math.min(attempt * 50, LONGEST_PAUSE_MS),
  /** A master that became a replica: connect anew, to the master. */
  reconnectOnError: (error: Error): boolean => error.message.startsWith('READONLY'),
} as const;

/** What is in the query of a URL, and in the `redisOptions` of a cluster, is among the options by then. */
function createPlainIoredis(module: IoredisModule, config: RedisStorageConfig): IoredisClient {
  const client = createIoredis(module, config);
  assertNoKeyPrefix(client.options, 'storage.redis');
  return client;
}

function createIoredis(
  { Redis, Cluster }: IoredisModule,
  config: RedisStorageConfig,
): IoredisClient {
  if (config.cluster !== undefined) {
    const { nodes, redisOptions, ...options } = config.cluster;
    return new Cluster(nodesOf(nodes), {
      ...options,
      lazyConnect: true,
      enableAutoPipelining: false,
      scaleReads: 'master',
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      redisOptions: {
        ...(redisOptions as object | undefined),
        autoResendUnfulfilledCommands: false,
        maxRetriesPerRequest: 0,
        disconnectTimeout: IOREDIS_OWN.disconnectTimeout,
        stringNumbers: false,
      },
    }) as IoredisClient;
  }
  if (config.sentinel !== undefined) {
    const options = {
      failoverDetector: true,
      ...IOREDIS_DEFAULTS,
      ...config.sentinel,
      ...IOREDIS_OWN,
    };
    return new Redis(options) as IoredisClient;
  }
  const options = { ...IOREDIS_DEFAULTS, ...config.config };
  // Of several arguments the first that has an option says what it is, and the query of a URL may have any.
  const client = new Redis(IOREDIS_OWN, config.url, options);
  return client as IoredisClient;
}

/**
 * The default of version 6. Without HELLO, version 5 takes a connection that is lost while it is made for a ready one, and what
 * is sent over it never settles.
 */
const NODE_REDIS_DEFAULTS = { RESP: 3 } as const;

function createNodeRedis(
  redis: NodeRedisModule,
  config: RedisStorageConfig,
  life: AbortSignal,
): NodeRedisClient | NodeRedisCluster {
  if (config.sentinel !== undefined) {
    throw new GuardConfigError('storage.redis.sentinel needs ioredis; run: npm install ioredis');
  }
  if (config.cluster !== undefined) {
    const {
      nodes,
      rootNodes = nodesOf(nodes).map(rootNodeOf),
      defaults,
      ...options
    } = config.cluster;
    return redis.createCluster({
      ...NODE_REDIS_DEFAULTS,
      ...options,
      rootNodes,
      defaults: {
        ...(defaults as object | undefined),
        socket: socketUntil(life, (defaults as { socket?: NodeRedisSocket } | undefined)?.socket),
        disableOfflineQueue: true,
      },
    }) as NodeRedisCluster;
  }
  const url = config.url === undefined ? {} : { url: config.url };
  const { socket, ...rest } = nodeRedisOptions(config.config ?? {});
  const options = {
    ...NODE_REDIS_DEFAULTS,
    ...rest,
    ...url,
    socket: socketUntil(life, socket as NodeRedisSocket),
    disableOfflineQueue: true,
  };
  return redis.createClient(options) as NodeRedisClient;
}

/** `{ host, port, db, tls }` are understood here as well: the environment gives them. */
function nodeRedisOptions(config: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { host, port, tls, db, ...options } = config;
  const socket = {
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(tls !== undefined && { tls: true, ...(tls as object) }),
    ...(options['socket'] as object | undefined),
  };
  return { ...options, socket, ...(db !== undefined && { database: db }) };
}

/** Nodes as ioredis takes them: URLs, or `{ host, port }`. */
function nodesOf(nodes: unknown): readonly unknown[] {
  if (Array.isArray(nodes) && nodes.length > 0) {
    for (const node of nodes as readonly unknown[]) {
      if (typeof node === 'string') assertRedisUrl(node, 'storage.redis.cluster.nodes');
    }
    return nodes;
  }
  throw new GuardConfigError('storage.redis.cluster.nodes must name at least one node');
}

function rootNodeOf(node: unknown): object {
  if (typeof node === 'string') return { url: node };
  return { socket: node };
}
