import { GuardConfigError, type GuardLogger, type StorageAdapter } from '@frontmcp/guard-core';

import { createMemoryStorage } from '../memory/memory-storage.js';
import type { DetectedBackend } from './detect-backend.js';
import { redisFromEnvironment } from './redis-from-environment.js';
import type { BackendType, StorageConfig } from './storage-config.js';

/** Makes the store of one backend, not connected yet. */
export type StorageLoader = (
  config: StorageConfig,
  backend: DetectedBackend,
  logger: GuardLogger | undefined,
) => Promise<StorageAdapter>;

/** One door per backend. A vendor's client is imported behind its door only. */
export const storageLoaders: Readonly<Record<BackendType, StorageLoader>> = {
  memory: (config, _, logger) =>
    Promise.resolve(createMemoryStorage({ ...config.memory, ...(logger && { logger }) })),
  redis: async (config, _, logger) => {
    const { createRedisStorage } = await import('../redis/create-redis-storage.js');
    return createRedisStorage(
      isEmpty(config.redis) ? redisFromEnvironment() : config.redis,
      logger && { logger },
    );
  },
  upstash: notAvailable,
  'vercel-kv': notAvailable,
  'cloudflare-kv': notAvailable,
};

function notAvailable(_: StorageConfig, { type, pickedBy }: DetectedBackend): Promise<never> {
  const picked =
    pickedBy === undefined ? '' : `; ${pickedBy} picked it because storage.type is "auto"`;
  return Promise.reject(
    new GuardConfigError(
      `Storage type "${type}" is not available in this version${picked}. Available: "memory"`,
    ),
  );
}

function isEmpty(section: object | undefined): section is undefined {
  return section === undefined || Object.values(section).every((value) => value === undefined);
}
