import { startRedisSentinel } from '@frontmcp/guard-services';

import { createRedisStorage } from '../../src/redis.js';
import { createTestLogger } from '../test-logger.js';
import { registerOnServices } from './register-on-services.js';

const starting = startRedisSentinel();
afterAll(async () => (await starting).stop());

registerOnServices('Redis Sentinel through ioredis', async () => {
  const { name, sentinels } = await starting;
  return createRedisStorage(
    { sentinel: { name, sentinels: [...sentinels] } },
    { logger: createTestLogger() },
  );
});
