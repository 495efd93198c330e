import type { GuardLogger, StorageAdapter } from '@frontmcp/guard-core';

import { assertTimeoutMs } from '../assert-timeout-ms.js';
import { keepOpen } from '../decorators/keep-open.js';
import { limitTime } from '../decorators/limit-time.js';
import { withFallback } from '../decorators/with-fallback.js';
import { createMemoryStorage } from '../memory/memory-storage.js';
import { assertFallback, type StorageFallback } from '../storage-fallback.js';
import { readVariable } from './environment.js';
import type { StorageConfig } from './storage-config.js';

/** What a store is put behind. `memory` is for the store that is fallen back to. */
export interface ConnectStorageOptions extends Pick<
  StorageConfig,
  'fallback' | 'timeoutMs' | 'memory'
> {
  /** Hears when the store is lost and when it answers again; stderr, by `console.warn`, by default. */
  readonly logger?: GuardLogger;
  /**
   * Whether the store stays connected when what is returned is disconnected, and when connecting fails: for a store that
   * belongs to somebody else. False by default.
   */
  readonly keepOpen?: boolean;
}

/**
 * Connects a store of any make, and puts it behind what `createStorage` puts its own behind: a bound in time (`limitTime`)
 * and a way to deal with its failure (`withFallback`), with the same defaults. A store in this process (`inProcess`) has
 * neither need, and one that falls back by itself (`current`) has it met: they are returned as they are.
 *
 * `disconnect` of what is returned disconnects the store too, and so does a failure to connect. With `keepOpen` both end what
 * stands around the store, its timers and the subscriptions made through it, and leave the store itself connected; one in this
 * process then gets a cover that does just that and costs its prepared steps nothing.
 *
 * @throws GuardConfigError when `fallback` or `timeoutMs` is out of range, whatever the store.
 * @throws GuardStorageUnavailableError when the store cannot be reached and `fallback` is `error`.
 */
export async function connectStorage(
  storage: StorageAdapter,
  options: ConnectStorageOptions = {},
): Promise<StorageAdapter> {
  const { fallback, timeoutMs = 1000, memory, logger } = options;
  if (fallback !== undefined) assertFallback(fallback, 'fallback');
  assertTimeoutMs(timeoutMs, 'timeoutMs');
  const toLogger = logger && { logger };
  const owned = options.keepOpen === true ? keepOpen(storage) : storage;
  const guarded =
    storage.inProcess === true || storage.current !== undefined
      ? owned
      : withFallback(limitTime(owned, timeoutMs), {
          fallback: fallback ?? defaultFallback(),
          createMemory: () => createMemoryStorage({ ...memory, ...toLogger }),
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
  return readVariable('NODE_ENV') === 'production' ? 'error' : 'memory';
}
