import type { SetOptions } from '@frontmcp/guard-core';

import { assertEqual, assertRejects } from '../assertions.js';
import type { CaseDefinition } from '../conformance-case.js';

const BAD_TIMES: readonly SetOptions[] = [
  { ttlMs: 0 },
  { ttlMs: -1 },
  { ttlMs: 1.5 },
  { ttlMs: NaN },
  { ttlSeconds: 0 },
  { ttlSeconds: -1 },
  { ttlSeconds: 1.5 },
  { ttlSeconds: Infinity },
];

export const expiryCases: readonly CaseDefinition[] = [
  {
    name: 'set ttlMs: the key is there before, and absent after',
    async check({ storage, unique, elapse }) {
      const key = unique('key');
      await storage.set(key, 'value', { ttlMs: 1000 });
      assertEqual(await storage.get(key), 'value', 'get before');
      await elapse(1100);
      assertEqual(await storage.get(key), null, 'get after');
      assertEqual(await storage.exists(key), false, 'exists after');
      assertEqual(await storage.mget([key]), [null], 'mget after');
      assertEqual(await storage.delete(key), false, 'delete after');
      assertEqual(await storage.expire(key, 10), false, 'expire after');
    },
  },
  {
    name: 'set ttlSeconds: counts whole seconds',
    async check({ storage, unique, elapse, assertTtl }) {
      const key = unique('key');
      await storage.set(key, 'value', { ttlSeconds: 2 });
      await assertTtl(key, 2_000, 'ttl');
      await elapse(2100);
      assertEqual(await storage.get(key), null, 'get after');
    },
  },
  {
    name: 'set: ttlMs counts when ttlSeconds is given too',
    async check({ storage, unique, assertTtl }) {
      const key = unique('key');
      await storage.set(key, 'value', { ttlSeconds: 600, ttlMs: 9_500 });
      await assertTtl(key, 9_500, 'ttl');
    },
  },
  {
    name: 'set: without a time to live the key lives for ever, whatever it was before',
    async check({ storage, unique }) {
      const key = unique('key');
      await storage.set(key, 'value', { ttlMs: 60_000 });
      await storage.set(key, 'value');
      assertEqual(await storage.ttl(key), -1, 'ttl');
    },
  },
  {
    name: 'set: a time to live that is not a positive integer is a RangeError, and nothing is written',
    async check({ storage, unique }) {
      const key = unique('key');
      for (const options of BAD_TIMES) {
        const what = `set with ${Object.entries(options).join()}`;
        await assertRejects(() => storage.set(key, 'value', options), 'RangeError', what);
      }
      assertEqual(await storage.exists(key), false, 'exists');
    },
  },
  {
    name: 'ttl: null for an absent key, -1 without expiry, else seconds rounded up',
    async check({ storage, unique, assertTtl }) {
      const key = unique('key');
      assertEqual(await storage.ttl(key), null, 'ttl of an absent key');
      await storage.set(key, 'value');
      assertEqual(await storage.ttl(key), -1, 'ttl of a key without expiry');
      await storage.set(key, 'value', { ttlMs: 600 });
      await assertTtl(key, 600, 'ttl of 600 ms');
      await storage.set(key, 'value', { ttlMs: 9_500 });
      await assertTtl(key, 9_500, 'ttl of 9,500 ms');
    },
  },
  {
    name: 'ttl: null for an expired key',
    async check({ storage, unique, elapse }) {
      const key = unique('key');
      await storage.set(key, 'value', { ttlMs: 50 });
      await elapse(100);
      assertEqual(await storage.ttl(key), null, 'ttl');
    },
  },
  {
    name: 'expire: sets the expiry of a key that is there',
    async check({ storage, unique, elapse, assertTtl }) {
      const key = unique('key');
      assertEqual(await storage.expire(key, 10), false, 'expire of an absent key');
      await storage.set(key, 'value');
      assertEqual(await storage.expire(key, 10), true, 'expire');
      await assertTtl(key, 10_000, 'ttl');
      assertEqual(await storage.expire(key, 1), true, 'expire to less');
      await elapse(1100);
      assertEqual(await storage.get(key), null, 'get after');
    },
  },
  {
    name: 'expire: takes a fraction of a second',
    async check({ storage, unique, elapse }) {
      const key = unique('key');
      await storage.set(key, 'value');
      assertEqual(await storage.expire(key, 0.05), true, 'expire');
      await elapse(100);
      assertEqual(await storage.get(key), null, 'get after');
    },
  },
  {
    name: 'expire: seconds that are not above 0 are a RangeError, and the key stays',
    async check({ storage, unique }) {
      const key = unique('key');
      await storage.set(key, 'value');
      for (const seconds of [0, -1, NaN, Infinity, 1e306]) {
        await assertRejects(() => storage.expire(key, seconds), 'RangeError', `expire ${seconds}`);
      }
      assertEqual(await storage.ttl(key), -1, 'ttl');
    },
  },
];
