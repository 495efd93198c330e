import { assertEqual } from '../assertions.js';
import type { CaseDefinition } from '../conformance-case.js';

export const capabilityCases: readonly CaseDefinition[] = [
  {
    name: 'has what it is not declared to lack, and nothing else',
    check({ storage, without }) {
      const has = {
        compare: storage.compareAndDelete !== undefined && storage.compareAndExpire !== undefined,
        atomic: storage.execute !== undefined,
        together: storage.executeTogether !== undefined,
        pubSub: storage.supportsPubSub(),
      };
      const declared = {
        compare: !without.includes('compare'),
        atomic: !without.includes('atomic'),
        together: !without.includes('together'),
        pubSub: !without.includes('pubSub'),
      };
      assertEqual(has, declared, 'capabilities');
    },
  },
];
