import { GuardStorageUnsupportedError, type StorageAdapter } from '@frontmcp/guard-core';

import type { GuardConfig } from './guard-config.js';

/**
 * Throws when a concurrency limit is configured that the storage cannot hold: its slots would be nobody's.
 *
 * @throws GuardStorageUnsupportedError naming the limit and what the storage lacks.
 */
export function assertLeasing(config: GuardConfig, storage: StorageAdapter): void {
  const leases =
    storage.execute !== undefined ||
    (storage.compareAndDelete !== undefined && storage.compareAndExpire !== undefined);
  if (leases) return;
  for (const limit of ['globalConcurrency', 'defaultConcurrency'] as const) {
    if (config[limit] === undefined) continue;
    throw new GuardStorageUnsupportedError(
      `${limit} needs a storage that can lease: with execute, or with compareAndDelete and compareAndExpire`,
    );
  }
}
