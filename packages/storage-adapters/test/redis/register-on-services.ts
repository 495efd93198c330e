import type { StorageAdapter } from '@frontmcp/guard-core';
import {
  registerStorageConformance,
  type ConformanceOptions,
} from '@frontmcp/guard-storage-conformance';

/** The whole suite on a store that a real service is behind. The cases wait for real time, so some run at once. */
export function registerOnServices(
  name: string,
  createStorage: () => Promise<StorageAdapter>,
  options: Omit<ConformanceOptions, 'createStorage'> = {},
): void {
  registerStorageConformance(
    name,
    { describe, test: (title, run) => test.concurrent(title, run, 60_000) },
    { createStorage, ...options },
  );
}
