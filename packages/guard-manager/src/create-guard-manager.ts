import type { GuardLogger, StorageAdapter } from '@frontmcp/guard-core';
import { createStorage, type StorageConfig } from '@frontmcp/guard-storage-adapters';

import type { GuardConfig } from './guard-config.js';
import { GuardManager } from './guard-manager.js';

/** What {@link createGuardManager} takes. */
export interface CreateGuardManagerArgs {
  readonly config: GuardConfig;
  /** Hears what an operator should know: counters in memory by default, a storage that is down, slots freed by force. */
  readonly logger?: GuardLogger | undefined;
  /** A storage of your own instead of `config.storage`. It is connected, and never disconnected, by the manager. */
  readonly storage?: StorageAdapter | undefined;
}

/**
 * Checks a configuration, creates its storage and connects it, and builds the manager. When that fails nothing is left open.
 *
 * The configuration schemas, and with them zod, are loaded when this is called and not before.
 *
 * @throws GuardConfigError naming every field that is wrong. GuardStorageUnavailableError when the storage cannot be reached and
 * `storage.fallback` is `'error'`. GuardStorageUnsupportedError when a concurrency limit is configured and the storage cannot
 * lease.
 */
export async function createGuardManager(args: CreateGuardManagerArgs): Promise<GuardManager> {
  const { parseGuardConfig } = await import('./schemas.js');
  const { logger } = args;
  const config = parseGuardConfig(args.config);
  const storage = args.storage ?? (await openStorage(config.storage, logger));
  try {
    if (args.storage !== undefined) await storage.connect();
    return new GuardManager({
      config,
      storage,
      logger,
      disconnectStorage: args.storage === undefined,
    });
  } catch (error) {
    if (args.storage === undefined) await storage.disconnect();
    throw error;
  }
}

async function openStorage(
  config: StorageConfig | undefined,
  logger: GuardLogger | undefined,
): Promise<StorageAdapter> {
  const storage = await createStorage(config ?? { type: 'memory' }, logger ? { logger } : {});
  if (storage.inProcess === true && config?.type !== 'memory') {
    logger?.warn(
      'Guard keeps its counters in the memory of this process: several processes count each on their own. Configure storage to share them',
    );
  }
  return storage;
}
