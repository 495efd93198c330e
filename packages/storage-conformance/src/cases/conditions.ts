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
  {
    name: 'set ifNotExists: what it writes has the time to live that was asked for',
    async check({ storage, unique, assertTtl }) {
      const [a, b] = [unique('a'), unique('b')];
      await storage.set(a, 'value', { ifNotExists: true, ttlMs: 9_500 });
      await storage.set(b, 'value', { ifNotExists: true, ttlSeconds: 20 });
      await assertTtl(a, 9_500, 'ttl by ms');
      await assertTtl(b, 20_000, 'ttl by seconds');
    },
  },
  {
    name: 'set ifExists: sets the expiry anew, without one the key lives for ever',
    async check({ storage, unique, assertTtl }) {
      const key = unique('key');
      await storage.set(key, 'first');
      await storage.set(key, 'second', { ifExists: true, ttlMs: 9_500 });
      await assertTtl(key, 9_500, 'ttl, where there was none');
      await storage.set(key, 'third', { ifExists: true, ttlSeconds: 20 });
      await assertTtl(key, 20_000, 'ttl, where there was another');
      await storage.set(key, 'fourth', { ifExists: true });
      assertEqual(await storage.ttl(key), -1, 'ttl, without one');
    },
  },
];
