import { namespaceStorage } from '../../src/index.js';
import { startRedisCluster } from '@frontmcp/guard-services';
import { Cluster as Cluster6 } from 'ioredis';
import { Cluster as Cluster5 } from 'ioredis-5';
import { createCluster as createCluster6 } from 'redis';
import { createCluster as createCluster5 } from 'redis-5';

import { createRedisStorage } from '../../src/redis.js';
import { openRedis } from '../../src/redis/open-redis.js';
import { RedisStorage } from '../../src/redis/redis-storage.js';
import { createTestLogger } from '../test-logger.js';
import type { StorageAdapter } from '@frontmcp/guard-core';
import { registerOnServices } from './register-on-services.js';
import { onSupplied } from './supplied.js';

const starting = startRedisCluster();
afterAll(async () => (await starting).stop());

const logger = createTestLogger();
const nodes = async () => [...(await starting).seeds];

/** A node counts the subscribers that are connected to it, and no others. */
function registerOnCluster(name: string, createStorage: () => Promise<StorageAdapter>): void {
  registerOnServices(name, createStorage, { without: ['receivers'] });
}

registerOnCluster('Redis Cluster through ioredis', async () =>
  createRedisStorage({ cluster: { nodes: await nodes() } }, { logger }),
);

registerOnCluster('Redis Cluster through ioredis, all keys in one slot', async () =>
  namespaceStorage(
    await createRedisStorage({ cluster: { nodes: await nodes() } }, { logger }),
    '{guard}',
  ),
);

registerOnCluster('Redis Cluster through node-redis', async () => {
  const load = async () => ({ name: 'redis' as const, module: await import('redis') });
  const port = await openRedis({ cluster: { nodes: await nodes() } }, logger, load);
  return new RedisStorage(port, logger);
});

registerOnCluster('Redis Cluster through a given cluster of ioredis 6', async () =>
  onSupplied(new Cluster6(await nodes())),
);

registerOnCluster(
  'Redis Cluster through a given cluster of ioredis 5 that pipelines by itself',
  async () => onSupplied(new Cluster5(await nodes(), { enableAutoPipelining: true })),
);

registerOnCluster('Redis Cluster through a given cluster of node-redis 6', async () =>
  onSupplied(createCluster6({ rootNodes: (await nodes()).map((socket) => ({ socket })) })),
);

registerOnCluster('Redis Cluster through a given cluster of node-redis 5', async () =>
  onSupplied(createCluster5({ rootNodes: (await nodes()).map((socket) => ({ socket })) })),
);
