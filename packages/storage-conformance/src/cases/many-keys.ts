import { assertEqual } from '../assertions.js';
import type { CaseDefinition } from '../conformance-case.js';

export const manyKeyCases: readonly CaseDefinition[] = [
  {
    name: 'mget: values in the order of the keys, null for an absent one',
    async check({ storage, unique }) {
      const [a, b, absent] = [unique('a'), unique('b'), unique('absent')];
      await storage.set(a, '1');
      await storage.set(b, '2');
      assertEqual(await storage.mget([b, absent, a, b]), ['2', null, '1', '2'], 'mget');
    },
  },
  {
    name: 'mset: writes all, each with its own options',
    async check({ storage, unique }) {
      const [a, b] = [unique('a'), unique('b')];
      await storage.mset([
        { key: a, value: '1' },
        { key: b, value: '2', options: { ttlMs: 9_500 } },
      ]);
      assertEqual(await storage.mget([a, b]), ['1', '2'], 'mget');
      assertEqual([await storage.ttl(a), await storage.ttl(b)], [-1, 10], 'ttl');
    },
  },
  {
    name: 'mdelete: deletes all, and says how many were there',
    async check({ storage, unique }) {
      const [a, b, absent] = [unique('a'), unique('b'), unique('absent')];
      await storage.mset([
        { key: a, value: '1' },
        { key: b, value: '2' },
      ]);
      assertEqual(await storage.mdelete([a, absent, b, a]), 2, 'mdelete');
      assertEqual(await storage.mget([a, b]), [null, null], 'mget after');
    },
  },
  {
    name: 'mget, mset, mdelete: an empty list is no call at all',
    async check({ storage }) {
      assertEqual(await storage.mget([]), [], 'mget');
      await storage.mset([]);
      assertEqual(await storage.mdelete([]), 0, 'mdelete');
    },
  },
];
