import { safeLogger, type GuardLogger, type StorageAdapter } from '@frontmcp/guard-core';

import type { RedisStorageConfig } from '../create-storage/storage-config.js';
import { openRedis } from './open-redis.js';
import { RedisStorage } from './redis-storage.js';

/** What is not configuration. */
export interface RedisStorageOptions {
  /** Warned when a given client sends commands twice, and when a message handler throws; `console` by default. */
  readonly logger?: GuardLogger;
}

/**
 * A store in Redis, Valkey or what speaks like them, not connected yet: a single server, Sentinel or Cluster, through ioredis or
 * node-redis, whichever is installed, or through a client of your own.
 *
 * Exact at any concurrency: a step is one script, which reads the server's clock. `disconnect` closes what was opened here; a
 * client of your own stays open. Calls are not bounded in time and not fallen back from: `createStorage` adds both, and so
 * does `connectStorage`.
 *
 * @throws GuardConfigError when it is not clear which server is meant, when no client library is installed, and for options
 * that would change the names of keys.
 */
export async function createRedisStorage(
  config: RedisStorageConfig,
  options: RedisStorageOptions = {},
): Promise<StorageAdapter> {
  const logger = safeLogger(options.logger ?? console);
  return new RedisStorage(await openRedis(config, logger), logger);
}
