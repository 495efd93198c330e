import { startRedis } from '@frontmcp/guard-services';
import { Redis as Redis6 } from 'ioredis';
import { Redis as Redis5 } from 'ioredis-5';
import { createClient as createClient6 } from 'redis';
import { createClient as createClient5 } from 'redis-5';

import { createRedisStorage } from '../../src/redis.js';
import { openRedis } from '../../src/redis/open-redis.js';
import { RedisStorage } from '../../src/redis/redis-storage.js';
import { registerOnServices } from './register-on-services.js';
import { onSupplied } from './supplied.js';
import { createTestLogger } from '../test-logger.js';

const starting = startRedis();
afterAll(async () => (await starting).stop());

const logger = createTestLogger();

registerOnServices('[ST-08] [ST-24] [ST-25] Redis by a URL, through ioredis', async () =>
  createRedisStorage({ url: (await starting).url }, { logger }),
);

registerOnServices('Redis by a URL, through node-redis', async () => {
  const load = async () => ({ name: 'redis' as const, module: await import('redis') });
  return new RedisStorage(await openRedis({ url: (await starting).url }, logger, load), logger);
});

registerOnServices('Redis through a given client of ioredis 6', async () =>
  onSupplied(new Redis6((await starting).port)),
);

registerOnServices('Redis through a given client of ioredis 5', async () =>
  onSupplied(new Redis5((await starting).port)),
);

registerOnServices('B-45: Redis through a client of ioredis 6 that pipelines by itself', async () =>
  onSupplied(new Redis6((await starting).port, { enableAutoPipelining: true })),
);

registerOnServices('B-45: Redis through a client of ioredis 5 that pipelines by itself', async () =>
  onSupplied(new Redis5((await starting).port, { enableAutoPipelining: true })),
);

registerOnServices('Redis through a given client of node-redis 6', async () =>
  onSupplied(createClient6({ url: (await starting).url })),
);

registerOnServices('Redis through a given client of node-redis 5', async () =>
  onSupplied(createClient5({ url: (await starting).url })),
);
