import { assertEqual } from '../assertions.js';
import type { CaseDefinition } from '../conformance-case.js';

export const conditionCases: readonly CaseDefinition[] = [
  {
    name: 'set ifNotExists: writes only an absent key, and says so',
    async check({ storage, unique }) {
      const key = unique('key');
      assertEqual(await storage.set(key, 'first', { ifNotExists: true }), true, 'absent key');
      assertEqual(await storage.set(key, 'second', { ifNotExists: true }), false, 'held key');
      assertEqual(await storage.get(key), 'first', 'get');
    },
  },
  {
    name: 'set ifExists: writes only a key that is there, and says so',
    async check({ storage, unique }) {
      const key = unique('key');
      assertEqual(await storage.set(key, 'first', { ifExists: true }), false, 'absent key');
      assertEqual(await storage.get(key), null, 'get of a key that was not written');
      await storage.set(key, 'first');
      assertEqual(await storage.set(key, 'second', { ifExists: true }), true, 'held key');
      assertEqual(await storage.get(key), 'second', 'get');
    },
  },
  {
    name: 'set ifNotExists: leaves the expiry alone when it does not write',
    async check({ storage, unique }) {
      const key = unique('key');
      await storage.set(key, 'first');
      await storage.set(key, 'second', { ifNotExists: true, ttlMs: 60_000 });
      assertEqual(await storage.ttl(key), -1, 'ttl');
    },
  },
  {
    name: 'set ifNotExists: an expired key is absent',
    async check({ storage, unique, elapse }) {
      const key = unique('key');
      await storage.set(key, 'first', { ttlMs: 50 });
      await elapse(100);
      assertEqual(await storage.set(key, 'second', { ifNotExists: true }), true, 'set');
      assertEqual(await storage.get(key), 'second', 'get');
    },
  },
  {
    name: 'set ifExists: an expired key is absent',
    async check({ storage, unique, elapse }) {
      const key = unique('key');
      await storage.set(key, 'first', { ttlMs: 50 });
      await elapse(100);
      assertEqual(await storage.set(key, 'second', { ifExists: true }), false, 'set');
      assertEqual(await storage.get(key), null, 'get');
    },
  },
];
