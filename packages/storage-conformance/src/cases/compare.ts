import { assertEqual, assertRejects } from '../assertions.js';
import { method, type CaseDefinition } from '../conformance-case.js';

export const compareCases: readonly CaseDefinition[] = [
  {
    name: 'compareAndDelete: deletes only what holds the expected value',
    requires: ['compare'],
    async check({ storage, unique }) {
      const key = unique('key');
      const compareAndDelete = method(storage, 'compareAndDelete');
      assertEqual(await compareAndDelete(key, 'mine'), false, 'of an absent key');
      await storage.set(key, 'mine');
      assertEqual(await compareAndDelete(key, 'theirs'), false, 'of another value');
      assertEqual(await storage.get(key), 'mine', 'get');
      assertEqual(await compareAndDelete(key, 'mine'), true, 'of the expected value');
      assertEqual(await storage.get(key), null, 'get after');
    },
  },
  {
    name: 'compareAndExpire: sets the expiry only of what holds the expected value',
    requires: ['compare'],
    async check({ storage, unique, assertTtl }) {
      const key = unique('key');
      const compareAndExpire = method(storage, 'compareAndExpire');
      assertEqual(await compareAndExpire(key, 'mine', 10), false, 'of an absent key');
      await storage.set(key, 'mine');
      assertEqual(await compareAndExpire(key, 'theirs', 10), false, 'of another value');
      assertEqual(await storage.ttl(key), -1, 'ttl');
      assertEqual(await compareAndExpire(key, 'mine', 9.5), true, 'of the expected value');
      await assertTtl(key, 9_500, 'ttl after');
    },
  },
  {
    name: 'compareAndExpire: seconds that are not above 0 are a RangeError, and the key stays',
    requires: ['compare'],
    async check({ storage, unique }) {
      const key = unique('key');
      await storage.set(key, 'mine');
      const compareAndExpire = method(storage, 'compareAndExpire');
      for (const seconds of [0, -1, NaN, Infinity, 1e306]) {
        const what = `compareAndExpire ${seconds}`;
        await assertRejects(() => compareAndExpire(key, 'mine', seconds), 'RangeError', what);
      }
      assertEqual(await storage.ttl(key), -1, 'ttl');
    },
  },
  {
    name: 'compareAndDelete, compareAndExpire: an expired key is absent',
    requires: ['compare'],
    async check({ storage, unique, elapse }) {
      const key = unique('key');
      await storage.set(key, 'mine', { ttlMs: 50 });
      await elapse(100);
      assertEqual(await method(storage, 'compareAndExpire')(key, 'mine', 10), false, 'expire');
      assertEqual(await method(storage, 'compareAndDelete')(key, 'mine'), false, 'delete');
      assertEqual(await storage.get(key), null, 'get');
    },
  },
];
