import type { GuardLogger, StorageAdapter } from '@frontmcp/guard-core';

import { limitTime } from '../decorators/limit-time.js';
import { withFallback } from '../decorators/with-fallback.js';
import { createMemoryStorage } from '../memory/memory-storage.js';
import type { StorageFallback } from '../storage-fallback.js';
import { readEnvironment } from './environment.js';
import type { StorageConfig } from './storage-config.js';

/**
 * Connects a store, bounded in time and with its failure dealt with; one in this process as it is, since it has neither.
 * When that fails, the store is closed before the failure is passed on.
 */
export async function connectStorage(
  storage: StorageAdapter,
  config: StorageConfig,
  { logger }: { readonly logger?: GuardLogger },
): Promise<StorageAdapter> {
  const toLogger = logger && { logger };
  const guarded =
    storage.inProcess === true
      ? storage
      : withFallback(limitTime(storage, config.timeoutMs), {
          fallback: config.fallback ?? defaultFallback(),
          createMemory: () => createMemoryStorage({ ...config.memory, ...toLogger }),
          ...toLogger,
        });
  try {
    await guarded.connect();
  } catch (error) {
    await guarded.disconnect().catch(() => undefined);
    throw error;
  }
  return guarded;
}

function defaultFallback(): StorageFallback {
  return readEnvironment()['NODE_ENV'] === 'production' ? 'error' : 'memory';
}
