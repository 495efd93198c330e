import type { ConformanceOptions } from './conformance-options.js';
import { storageConformance } from './storage-conformance.js';

/** What the suite needs of a test runner: Jest, Vitest, Mocha, `node:test`, `bun:test` and Deno's `bdd` have it. */
export interface TestRunner {
  /** Groups tests, and calls `define` for them, at once. */
  readonly describe: (name: string, define: () => void) => void;
  /** Registers a test, which fails when `run` rejects. */
  readonly test: (name: string, run: () => Promise<void>) => void;
}

/**
 * Registers all cases of {@link storageConformance} under `name`. None is skipped: what a store lacks is left out. Each may take
 * some seconds.
 */
export function registerStorageConformance(
  name: string,
  { describe, test }: TestRunner,
  options: ConformanceOptions,
): void {
  describe(name, () => {
    for (const conformanceCase of storageConformance(options)) {
      test(conformanceCase.name, () => conformanceCase.run());
    }
  });
}
