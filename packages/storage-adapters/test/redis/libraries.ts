import type { GuardLogger } from '@frontmcp/guard-core';

import type { RedisStorageConfig } from '../../src/create-storage/storage-config.js';
import type { RedisLibrary } from '../../src/redis/load-redis-client.js';
import { openRedis } from '../../src/redis/open-redis.js';
import { RedisStorage } from '../../src/redis/redis-storage.js';

type LoadedModule = Record<'name', 'ioredis' | 'redis'> & Record<'module', unknown>;

/** Every client library, in both versions. */
export const libraries: Readonly<Record<LibraryName, () => Promise<LoadedModule>>> = {
  'ioredis 6': async () => ({ name: 'ioredis', module: await import('ioredis') }),
  'ioredis 5': async () => ({ name: 'ioredis', module: await import('ioredis-5') }),
  'node-redis 6': async () => ({ name: 'redis', module: await import('redis') }),
  'node-redis 5': async () => ({ name: 'redis', module: await import('redis-5') }),
};

export type LibraryName = 'ioredis 6' | 'ioredis 5' | 'node-redis 6' | 'node-redis 5';

/** A store through a library of the test's choice, not connected yet. */
export async function openThrough(
  library: LibraryName,
  config: RedisStorageConfig,
  logger: GuardLogger,
): Promise<RedisStorage> {
  const load = libraries[library] as () => Promise<RedisLibrary>;
  return new RedisStorage(await openRedis(config, logger, load), logger);
}
