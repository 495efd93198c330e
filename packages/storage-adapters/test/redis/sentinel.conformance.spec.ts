import { startRedisSentinel } from '@frontmcp/guard-services';

import { Redis as Redis5 } from 'ioredis-5';

import { createRedisStorage } from '../../src/redis.js';
import { createTestLogger } from '../test-logger.js';
import { registerOnServices } from './register-on-services.js';
import { onSupplied } from './supplied.js';

const starting = startRedisSentinel();
afterAll(async () => (await starting).stop());

registerOnServices('Redis Sentinel through ioredis', async () => {
  const { name, sentinels } = await starting;
  return createRedisStorage(
    { sentinel: { name, sentinels: [...sentinels] } },
    { logger: createTestLogger() },
  );
});

registerOnServices('Redis Sentinel through a given client of ioredis 5', async () => {
  const { name, sentinels } = await starting;
  const addresses = sentinels.map(({ host, port }) => ({ host, port }));
  return onSupplied(new Redis5({ name, sentinels: addresses }));
});
