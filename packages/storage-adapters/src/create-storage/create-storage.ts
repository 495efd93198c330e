import { GuardConfigError, type GuardLogger, type StorageAdapter } from '@frontmcp/guard-core';

import { checkStorageConfig, checkStorageSections } from './check-storage-config.js';
import { connectStorage } from './connect-storage.js';
import { detectBackend, type DetectedBackend } from './detect-backend.js';
import type { BackendType, StorageConfig } from './storage-config.js';
import { storageLoaders } from './storage-loaders.js';

/** What is not configuration. */
export interface CreateStorageOptions {
  /** Hears when the backend is lost and when it answers again, by default stderr, and when a store is full. */
  readonly logger?: GuardLogger;
}

/**
 * Makes the store that a configuration names, and connects it.
 *
 * Without `type`, or with `auto`, environment variables pick the backend, the first of these that are set:
 * `UPSTASH_REDIS_REST_URL` and `_TOKEN`, `KV_REST_API_URL` and `_TOKEN`, `REDIS_URL` or `REDIS_HOST`; else memory. With a type
 * and without options, they say where the backend is. A vendor's client library is imported only when its backend is chosen.
 *
 * A backend outside of this process is bounded in time (`limitTime`), and its failure dealt with as `fallback` says
 * (`withFallback`). A backend in this process is returned as it is.
 *
 * @throws GuardConfigError when the configuration cannot work: an unknown type or key, options of another type than the
 * chosen one, an address that is missing, a client library that is not installed. It is never fallen back from.
 * @throws GuardStorageUnavailableError when the backend cannot be reached and `fallback` is `error`.
 */
export async function createStorage(
  config: StorageConfig = {},
  options: CreateStorageOptions = {},
): Promise<StorageAdapter> {
  checkStorageConfig(config);
  const backend = chooseBackend(config);
  checkStorageSections(config, backend);
  const storage = await load(config, backend, options.logger);
  const { timeoutMs = slowBackends.get(backend.type) ?? 1000 } = config;
  return connectStorage(storage, { ...config, timeoutMs, ...options });
}

/** How long a call may take by default, where it is longer: a KV that is left may have a write to make a second after the last. */
const slowBackends: ReadonlyMap<BackendType, number> = new Map([['cloudflare-kv', 3_000]]);

/** Makes the store of the chosen backend. What is wrong with one that nobody named is said with what picked it. */
async function load(
  config: StorageConfig,
  { type, pickedBy }: DetectedBackend,
  logger: GuardLogger | undefined,
): Promise<StorageAdapter> {
  try {
    return await storageLoaders[type](config, logger);
  } catch (error) {
    if (pickedBy === undefined || !(error instanceof GuardConfigError)) throw error;
    const picked = `${pickedBy} picked the type "${type}", because storage.type is "auto"`;
    throw new GuardConfigError(`${error.message}; ${picked}`, { cause: error });
  }
}

function chooseBackend({ type = 'auto' }: StorageConfig): DetectedBackend {
  return type === 'auto' ? detectBackend() : { type, pickedBy: undefined };
}
