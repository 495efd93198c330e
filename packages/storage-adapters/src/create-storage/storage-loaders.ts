import type { GuardLogger, StorageAdapter } from '@frontmcp/guard-core';

import { createMemoryStorage } from '../memory/memory-storage.js';
import { redisFromEnvironment } from './redis-from-environment.js';
import type { BackendType, StorageConfig } from './storage-config.js';

/** Makes the store of one backend, not connected yet. */
export type StorageLoader = (
  config: StorageConfig,
  logger: GuardLogger | undefined,
) => Promise<StorageAdapter>;

/** One door per backend. A vendor's client is imported behind its door only. */
export const storageLoaders: Readonly<Record<BackendType, StorageLoader>> = {
  memory: (config, logger) =>
    Promise.resolve(createMemoryStorage({ ...config.memory, ...(logger && { logger }) })),
  redis: async (config, logger) => {
    const { createRedisStorage } = await import('../redis/create-redis-storage.js');
    return createRedisStorage(
      isEmpty(config.redis) ? redisFromEnvironment() : config.redis,
      logger && { logger },
    );
  },
  upstash: async (config, logger) => {
    const { createUpstashStorage } = await import('../upstash/create-upstash-storage.js');
    return createUpstashStorage(config.upstash, optionsOf(config, logger));
  },
  'vercel-kv': async (config, logger) => {
    const { createVercelKvStorage } = await import('../vercel-kv/create-vercel-kv-storage.js');
    return createVercelKvStorage(config.vercelKv, optionsOf(config, logger));
  },
  'cloudflare-kv': async (config, logger) => {
    const { createCloudflareKvStorage } =
      await import('../cloudflare-kv/create-cloudflare-kv-storage.js');
    return createCloudflareKvStorage(config.cloudflareKv, logger && { logger });
  },
};

function optionsOf(
  { timeoutMs }: StorageConfig,
  logger: GuardLogger | undefined,
): { timeoutMs?: number; logger?: GuardLogger } {
  return { ...(timeoutMs !== undefined && { timeoutMs }), ...(logger && { logger }) };
}

function isEmpty(section: object | undefined): section is undefined {
  return section === undefined || Object.values(section).every((value) => value === undefined);
}
