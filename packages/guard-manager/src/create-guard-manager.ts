import {
  assertKnownKeys,
  GuardConfigError,
  safeLogger,
  type GuardLogger,
  type StorageAdapter,
} from '@frontmcp/guard-core';
import {
  connectStorage,
  createStorage,
  type StorageConfig,
} from '@frontmcp/guard-storage-adapters';

import type { GuardConfig } from './guard-config.js';
import { GuardManager } from './guard-manager.js';
import { readGuardConfig } from './read-guard-config.js';

/** What {@link createGuardManager} takes. */
export interface CreateGuardManagerArgs {
  /** What is enforced. Read once, here: a later change of the object has no effect. */
  readonly config: GuardConfig;
  /** Hears what an operator should know: counters in memory by default, a storage that is down, slots freed by force. */
  readonly logger?: GuardLogger | undefined;
  /**
   * A storage of your own. The manager connects it and never disconnects it; calls on it are bounded in time, and its
   * failure is dealt with, as `fallback`, `timeoutMs` and `memory` of `config.storage` say.
   */
  readonly storage?: StorageAdapter | undefined;
}

/**
 * Checks a configuration, creates its storage and connects it, and builds the manager. When that fails nothing is left open.
 *
 * Zod is loaded only to say what is wrong with a configuration, or for one in an unusual form.
 *
 * @throws GuardConfigError naming every field that is wrong. GuardStorageUnavailableError when the storage cannot be reached and
 * `storage.fallback` is `'error'`. GuardStorageUnsupportedError when a concurrency limit is configured and the storage cannot
 * lease.
 */
export async function createGuardManager(args: CreateGuardManagerArgs): Promise<GuardManager> {
  assertKnownKeys(args, ARGUMENTS, 'the arguments of createGuardManager');
  const logger = args.logger && safeLogger(args.logger);
  const config = readGuardConfig(args.config) ?? (await parseWithZod(args.config));
  const storage =
    args.storage === undefined
      ? await openStorage(config.storage, logger)
      : await openOwnStorage(args.storage, config.storage, logger);
  try {
    return new GuardManager({ config, storage, logger });
  } catch (error) {
    await storage.disconnect();
    throw error;
  }
}

async function parseWithZod(config: unknown): Promise<GuardConfig> {
  const { parseGuardConfig } = await import('./schemas.js');
  return parseGuardConfig(config);
}

const ARGUMENTS: ReadonlySet<string> = new Set(['config', 'logger', 'storage']);

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

async function openOwnStorage(
  storage: StorageAdapter,
  config: StorageConfig = {},
  logger: GuardLogger | undefined,
): Promise<StorageAdapter> {
  const { fallback, timeoutMs, memory, ...backend } = config;
  const ignored = Object.keys(backend)[0];
  if (ignored !== undefined) {
    throw new GuardConfigError(
      `config.storage.${ignored} is given beside a storage of your own, which it does not apply to`,
    );
  }
  return connectStorage(storage, {
    keepOpen: true,
    ...(fallback && { fallback }),
    ...(timeoutMs && { timeoutMs }),
    ...(memory && { memory }),
    ...(logger && { logger }),
  });
}
