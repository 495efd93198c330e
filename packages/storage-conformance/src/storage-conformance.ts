import { prepareOperation } from '@frontmcp/guard-core';

import { addOperation } from './add-operation.js';
import { assertTtl } from './assertions.js';
import { atomicCases } from './cases/atomic.js';
import { capabilityCases } from './cases/capabilities.js';
import { compareCases } from './cases/compare.js';
import { concurrencyCases } from './cases/concurrency.js';
import { conditionCases } from './cases/conditions.js';
import { counterCases } from './cases/counters.js';
import { expiryCases } from './cases/expiry.js';
import { keyCases } from './cases/keys.js';
import { lifecycleCases } from './cases/lifecycle.js';
import { manyKeyCases } from './cases/many-keys.js';
import { messageCases } from './cases/messages.js';
import { patternCases } from './cases/patterns.js';
import { togetherCases } from './cases/together.js';
import { valueCases } from './cases/values.js';
import type { CaseContext, CaseDefinition, ConformanceCase } from './conformance-case.js';
import type { ConformanceOptions } from './conformance-options.js';

const definitions: readonly CaseDefinition[] = [
  ...capabilityCases,
  ...valueCases,
  ...conditionCases,
  ...expiryCases,
  ...manyKeyCases,
  ...patternCases,
  ...counterCases,
  ...keyCases,
  ...compareCases,
  ...atomicCases,
  ...togetherCases,
  ...messageCases,
  ...concurrencyCases,
  ...lifecycleCases,
];

/**
 * The storage contract as cases for any test runner: `for (const { name, run } of cases) test(name, run)`. Cases that need
 * what the store is declared to lack are not among them. Each makes its own store, so they may run in any order.
 */
export function storageConformance(options: ConformanceOptions): readonly ConformanceCase[] {
  const without = options.without ?? [];
  return definitions
    .map(({ name, requires = [], check }) => ({
      name,
      requires,
      run: () => runCase(options, check),
    }))
    .filter(({ requires }) => !requires.some((capability) => without.includes(capability)));
}

async function runCase(options: ConformanceOptions, check: CaseDefinition['check']): Promise<void> {
  const storage = await options.createStorage();
  const prefix = `conformance:${crypto.randomUUID()}:`;
  const written = new Set<string>();
  const startedMs = performance.now();
  const context: CaseContext = {
    storage,
    without: options.without ?? [],
    add: addOperation,
    prepareAdd(prefix) {
      const prepared = prepareOperation(storage, addOperation, 'sum', prefix);
      if (prepared === undefined) throw new Error('The store has neither prepare nor execute');
      return prepared;
    },
    unique(name) {
      written.add(prefix + name).add(`${prefix}${name}:sum`);
      return prefix + name;
    },
    deleteAtEnd: (...keys) => keys.forEach((key) => written.add(key)),
    assertTtl: async (key, ttlMs, what) => {
      const seconds = await storage.ttl(key);
      assertTtl(seconds, ttlMs, performance.now() - startedMs, what);
    },
    elapse: async (ms) => {
      if (options.advance !== undefined) await options.advance(ms);
      else await new Promise((resolve) => setTimeout(resolve, ms));
    },
  };
  await storage.connect();
  try {
    await check(context);
  } finally {
    // A case may have disconnected its store; what it expects of the store it has said by then.
    await storage.mdelete([...written]).catch(() => undefined);
    await storage.disconnect();
  }
}
