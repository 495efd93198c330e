import { assertEqual, assertRejects } from '../assertions.js';
import type { CaseDefinition } from '../conformance-case.js';

export const counterCases: readonly CaseDefinition[] = [
  {
    name: 'incr, decr, incrBy: an absent key counts as 0, the sum is kept as a string',
    async check({ storage, unique }) {
      const key = unique('counter');
      assertEqual(await storage.incr(key), 1, 'incr');
      assertEqual(await storage.incrBy(key, 41), 42, 'incrBy');
      assertEqual(await storage.get(key), '42', 'get');
      assertEqual(await storage.decr(unique('other')), -1, 'decr');
    },
  },
  {
    name: 'decr, incrBy: go below 0',
    async check({ storage, unique }) {
      const key = unique('counter');
      await storage.set(key, '1');
      assertEqual(await storage.decr(key), 0, 'decr');
      assertEqual(await storage.incrBy(key, -3), -3, 'incrBy');
      assertEqual(await storage.incrBy(key, 0), -3, 'incrBy 0');
    },
  },
  ...(['incr', 'decr', 'incrBy'] as const).map((name): CaseDefinition => ({
    name: `${name}: keeps the expiry`,
    async check({ storage, unique, assertTtl }) {
      const key = unique('counter');
      await storage.set(key, '1', { ttlMs: 9_500 });
      await storage[name](key, 1);
      await assertTtl(key, 9_500, 'ttl');
    },
  })),
  {
    name: 'incr: an expired key counts as 0, without expiry',
    async check({ storage, unique, elapse }) {
      const key = unique('counter');
      await storage.set(key, '5', { ttlMs: 50 });
      await elapse(100);
      assertEqual(await storage.incr(key), 1, 'incr');
      assertEqual(await storage.ttl(key), -1, 'ttl');
    },
  },
  {
    name: 'incr: a value that is not an integer is a TypeError, and stays',
    async check({ storage, unique }) {
      const key = unique('counter');
      for (const value of ['', 'abc', '1.5', ' 1', '1e3', '0x10', '01', '+1']) {
        await storage.set(key, value);
        await assertRejects(() => storage.incr(key), 'TypeError', `incr of "${value}"`);
        assertEqual(await storage.get(key), value, 'get');
      }
    },
  },
  {
    name: 'incrBy: an amount that is not an integer is a TypeError, and nothing is written',
    async check({ storage, unique }) {
      const key = unique('counter');
      for (const amount of [0.5, NaN, Infinity]) {
        await assertRejects(() => storage.incrBy(key, amount), 'TypeError', `incrBy ${amount}`);
      }
      assertEqual(await storage.exists(key), false, 'exists');
    },
  },
  {
    name: 'incrBy: a sum that is not a safe integer is a TypeError, and the value stays',
    async check({ storage, unique }) {
      const key = unique('counter');
      const { MAX_SAFE_INTEGER: max, MIN_SAFE_INTEGER: min } = Number;
      await storage.set(key, String(max - 1));
      assertEqual(await storage.incr(key), max, 'incr up to the highest');
      await assertRejects(() => storage.incr(key), 'TypeError', 'incr beyond the highest');
      await assertRejects(() => storage.incrBy(key, max), 'TypeError', 'incrBy beyond the highest');
      assertEqual(await storage.get(key), String(max), 'get');
      await storage.set(key, String(min));
      await assertRejects(() => storage.decr(key), 'TypeError', 'decr beyond the lowest');
      assertEqual(await storage.get(key), String(min), 'get');
    },
  },
];
