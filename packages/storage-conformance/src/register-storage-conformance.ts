import type { ConformanceOptions } from './conformance-options.js';
import { storageConformance } from './storage-conformance.js';

/** What the suite needs of a test runner: Jest, Vitest, Mocha, `node:test`, `bun:test` and Deno's `bdd` have it. */
export interface TestRunner {
  readonly describe: (name: string, define: () => void) => void;
  readonly test: (name: string, run: () => Promise<void>) => void;
}

/** Registers all cases of {@link storageConformance} under `name`. */
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
