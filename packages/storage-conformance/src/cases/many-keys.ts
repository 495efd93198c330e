import type { SetOptions } from '@frontmcp/guard-core';

import { assertEqual, assertRejects } from '../assertions.js';
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
    async check({ storage, unique, assertTtl }) {
      const [a, b, c] = [unique('a'), unique('b'), unique('c')];
      await storage.mset([
        { key: a, value: '1' },
        { key: b, value: '2', options: { ttlMs: 9_500 } },
        { key: c, value: '3', options: { ttlSeconds: 20 } },
      ]);
      assertEqual(await storage.mget([a, b, c]), ['1', '2', '3'], 'mget');
      assertEqual(await storage.ttl(a), -1, 'ttl without one');
      await assertTtl(b, 9_500, 'ttl by ms');
      await assertTtl(c, 20_000, 'ttl by seconds');
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
    name: 'mset: one entry that is refused, and nothing is written',
    async check({ storage, unique }) {
      const [a, b] = [unique('a'), unique('b')];
      const mset = (key: string, options: SetOptions): Promise<void> =>
        storage.mset([
          { key: a, value: '1' },
          { key, value: '2', options },
        ]);
      await assertRejects(() => mset(b, { ttlMs: 0 }), 'RangeError', 'mset with a bad ttlMs');
      await assertRejects(
        () => mset(b, { ttlSeconds: 1.5 }),
        'RangeError',
        'mset with a bad ttlSeconds',
      );
      await assertRejects(() => mset(`${b}\uD800`, {}), 'TypeError', 'mset of an ill-formed key');
      await assertRejects(
        () => mset(b, { ifNotExists: true }),
        'TypeError',
        'mset with ifNotExists',
      );
      await assertRejects(() => mset(b, { ifExists: true }), 'TypeError', 'mset with ifExists');
      assertEqual(await storage.mget([a, b]), [null, null], 'mget after');
    },
  },
  {
    name: 'mdelete: one key that is ill-formed, and nothing is deleted',
    async check({ storage, unique }) {
      const key = unique('key');
      await storage.set(key, 'value');
      await assertRejects(() => storage.mdelete([key, `${key}\uD800`]), 'TypeError', 'mdelete');
      assertEqual(await storage.get(key), 'value', 'get after');
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
