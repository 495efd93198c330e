import { assertEqual } from '../assertions.js';
import type { CaseDefinition } from '../conformance-case.js';

const VALUES = [
  '',
  '0',
  'null',
  ' spaced ',
  'line\nfeed',
  'nul\0',
  'é 日本 🎫',
  '"quoted"',
  '{"a":1}',
];

export const valueCases: readonly CaseDefinition[] = [
  {
    name: 'get: an absent key is null',
    async check({ storage, unique }) {
      assertEqual(await storage.get(unique('absent')), null, 'get');
    },
  },
  {
    name: 'set: what is written is read, as the same string',
    async check({ storage, unique }) {
      const key = unique('value');
      for (const value of VALUES) {
        assertEqual(await storage.set(key, value), true, 'set');
        assertEqual(await storage.get(key), value, 'get after set');
      }
    },
  },
  {
    name: 'set: takes a value of one megabyte',
    async check({ storage, unique }) {
      const key = unique('large');
      const value = 'x'.repeat(2 ** 20);
      await storage.set(key, value);
      assertEqual(await storage.get(key), value, 'get');
    },
  },
  {
    name: 'delete: says whether the key was there',
    async check({ storage, unique }) {
      const key = unique('key');
      await storage.set(key, 'value');
      assertEqual(await storage.delete(key), true, 'delete of a key that is there');
      assertEqual(await storage.get(key), null, 'get after delete');
      assertEqual(await storage.delete(key), false, 'delete of an absent key');
    },
  },
  {
    name: 'exists: says whether the key is there, an empty value too',
    async check({ storage, unique }) {
      const key = unique('key');
      assertEqual(await storage.exists(key), false, 'exists of an absent key');
      await storage.set(key, '');
      assertEqual(await storage.exists(key), true, 'exists of an empty value');
    },
  },
];
