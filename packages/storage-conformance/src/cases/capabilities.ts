import type { StorageAdapter } from '@frontmcp/guard-core';

import { assertEqual } from '../assertions.js';
import type { CaseDefinition } from '../conformance-case.js';

// Whether plain calls are atomic no look at a store says: the concurrent cases find one out that is not and is not declared to be.
export const capabilityCases: readonly CaseDefinition[] = [
  {
    name: 'has what it is not declared to lack, and nothing else',
    async check({ storage, without }) {
      const has = {
        compare: storage.compareAndDelete !== undefined && storage.compareAndExpire !== undefined,
        atomic: storage.execute !== undefined,
        together: storage.executeTogether !== undefined,
        pubSub: storage.supportsPubSub(),
        enumerate: await enumerates(storage),
      };
      const declared = {
        compare: !without.includes('compare'),
        atomic: !without.includes('atomic'),
        together: !without.includes('together'),
        pubSub: !without.includes('pubSub'),
        enumerate: !without.includes('enumerate'),
      };
      assertEqual(has, declared, 'capabilities');
    },
  },
];

/** A store that cannot list its keys says so. */
async function enumerates(storage: StorageAdapter): Promise<boolean> {
  try {
    await storage.count('conformance:none');
    return true;
  } catch (error) {
    if ((error as Error).name === 'GuardStorageUnsupportedError') return false;
    throw error;
  }
}
