import { assert, assertEqual, assertRejects } from '../assertions.js';
import { method, type CaseDefinition } from '../conformance-case.js';

const plus = (amount: number, max = 1000) => ({ amount, max, ttlMs: 60_000 });

export const atomicCases: readonly CaseDefinition[] = [
  {
    name: 'execute: a step sees what the one before it committed, once',
    requires: ['atomic'],
    async check({ storage, add, unique }) {
      const key = unique('sum');
      const execute = method(storage, 'execute');
      assertEqual((await execute(add, key, plus(1))).value, 1, 'first step');
      assertEqual((await execute(add, key, plus(2))).value, 3, 'second step');
      assertEqual((await execute(add, key, plus(0))).value, 3, 'look');
    },
  },
  {
    name: 'execute: a state comes back with its Maps and its infinite numbers',
    requires: ['atomic'],
    async check({ storage, add, unique }) {
      const key = unique('sum');
      const execute = method(storage, 'execute');
      await execute(add, key, plus(1));
      assertEqual((await execute(add, key, plus(2))).value, 3, 'second step');
    },
  },
  {
    name: 'execute: a commit is called as a method of its decision',
    requires: ['atomic'],
    async check({ storage, add, unique }) {
      const key = unique('sum');
      const execute = method(storage, 'execute');
      assertEqual((await execute(add, key, plus(3))).value, 3, 'step');
      assertEqual(await storage.exists(key), true, 'exists');
    },
  },
  {
    name: 'execute: a step without a commit changes nothing, the expiry neither',
    requires: ['atomic'],
    async check({ storage, add, unique, assertTtl }) {
      const key = unique('sum');
      const execute = method(storage, 'execute');
      const denied = await execute(add, key, plus(1, 0));
      assertEqual([denied.admitted, denied.value], [false, 1], 'denied step');
      assertEqual(await storage.exists(key), false, 'exists after a denied step');
      await execute(add, key, { amount: 1, max: 9, ttlMs: 9_500 });
      await execute(add, key, plus(100, 9));
      await execute(add, key, plus(0));
      await assertTtl(key, 9_500, 'ttl after a denied step and a look');
      assertEqual((await execute(add, key, plus(1))).value, 2, 'next step');
    },
  },
  {
    name: 'execute: a commit that keeps no state deletes the key',
    requires: ['atomic'],
    async check({ storage, add, unique }) {
      const key = unique('sum');
      const execute = method(storage, 'execute');
      await execute(add, key, plus(1));
      assertEqual((await execute(add, key, plus(-1))).value, 0, 'sum');
      assertEqual(await storage.exists(key), false, 'exists');
      assertEqual((await execute(add, key, plus(5))).value, 5, 'next step');
    },
  },
  {
    name: 'execute: expired state is absent',
    requires: ['atomic'],
    async check({ storage, add, unique, elapse, assertTtl }) {
      const key = unique('sum');
      const execute = method(storage, 'execute');
      await execute(add, key, { amount: 5, max: 9, ttlMs: 50 });
      await elapse(100);
      assertEqual(await storage.exists(key), false, 'exists');
      assertEqual((await execute(add, key, plus(1))).value, 1, 'next step');
      await assertTtl(key, 60_000, 'ttl');
    },
  },
  {
    name: 'execute: each commit sets the expiry anew',
    requires: ['atomic'],
    async check({ storage, add, unique, assertTtl }) {
      const key = unique('sum');
      const execute = method(storage, 'execute');
      await execute(add, key, { amount: 1, max: 9, ttlMs: 4_500 });
      await execute(add, key, { amount: 1, max: 9, ttlMs: 9_500 });
      await assertTtl(key, 9_500, 'ttl after more');
      await execute(add, key, { amount: 1, max: 9, ttlMs: 4_500 });
      await assertTtl(key, 4_500, 'ttl after less');
    },
  },
  {
    name: 'execute: the clock counts whole milliseconds, goes forward and not back',
    requires: ['atomic'],
    async check({ storage, add, unique, elapse }) {
      const key = unique('sum');
      const execute = method(storage, 'execute');
      const before = (await execute(add, key, plus(0))).nowMs;
      await elapse(100);
      const after = (await execute(add, key, plus(0))).nowMs;
      assert(Number.isSafeInteger(before), `nowMs is not whole: ${String(before)}`);
      assert(after >= before + 90, `nowMs was ${before} and 100 ms later ${after}`);
    },
  },
  {
    name: 'prepare: a prepared step and execute on <key>:<kind> meet in one state',
    requires: ['atomic'],
    async check({ storage, add, unique, prepareAdd }) {
      const key = unique('key');
      const execute = method(storage, 'execute');
      await execute(add, `${key}:sum`, plus(1));
      const prepared = prepareAdd();
      assertEqual((await prepared(key, plus(2))).value, 3, 'prepared step');
      assertEqual((await prepareAdd()(key, plus(3))).value, 6, 'step prepared again');
      assertEqual((await execute(add, `${key}:sum`, plus(4))).value, 10, 'execute');
      assertEqual((await execute(add, key, plus(0))).value, 0, 'execute without the kind');
    },
  },
  {
    name: 'prepare: a step without a commit changes nothing, the expiry neither',
    requires: ['atomic'],
    async check({ storage, unique, prepareAdd, assertTtl }) {
      const key = unique('key');
      const prepared = prepareAdd();
      await prepared(key, plus(1, 0));
      assertEqual(await storage.exists(`${key}:sum`), false, 'exists after a denied step');
      await prepared(key, { amount: 1, max: 9, ttlMs: 9_500 });
      await prepared(key, plus(100, 9));
      await prepared(key, plus(0));
      await assertTtl(`${key}:sum`, 9_500, 'ttl after a denied step and a look');
      assertEqual((await prepared(key, plus(1))).value, 2, 'next step');
    },
  },
  {
    name: 'prepare: under a prefix it meets <prefix><key>:<kind>, whichever was there first',
    requires: ['atomic'],
    async check({ unique, prepareAdd }) {
      const key = unique('a:b');
      const prefix = key.slice(0, -1);
      const whole = prepareAdd();
      await whole(key, plus(1));
      const prefixed = prepareAdd(prefix);
      assertEqual((await prefixed('b', plus(2))).value, 3, 'step under a prefix');
      assertEqual((await whole(key, plus(4))).value, 7, 'step without the prefix');
      const longer = prepareAdd(key);
      assertEqual((await longer('', plus(8))).value, 15, 'step under the whole key as a prefix');
      assertEqual((await prefixed('b', plus(16))).value, 31, 'step under the shorter prefix');
      assertEqual((await prefixed('c', plus(0))).value, 0, 'step on another key');
    },
  },
  {
    name: 'exists, ttl, delete: see the state of a prepared operation by its full name',
    requires: ['atomic'],
    async check({ storage, unique, prepareAdd, assertTtl }) {
      const key = unique('key');
      await prepareAdd()(key, { amount: 1, max: 9, ttlMs: 9_500 });
      assertEqual(await storage.exists(`${key}:sum`), true, 'exists');
      assertEqual(await storage.exists(key), false, 'exists without the kind');
      await assertTtl(`${key}:sum`, 9_500, 'ttl');
      assertEqual(await storage.delete(`${key}:sum`), true, 'delete');
      assertEqual((await prepareAdd()(key, plus(0))).value, 0, 'prepared step after delete');
    },
  },
  {
    name: 'keys, count: see the state of a prepared operation by its full name, once',
    requires: ['atomic', 'enumerate'],
    async check({ storage, unique, prepareAdd }) {
      const key = unique('a:b');
      await prepareAdd()(key, plus(1));
      await prepareAdd(key.slice(0, -1))('b', plus(1));
      assertEqual(await storage.keys(`${key}*`), [`${key}:sum`], 'keys');
      assertEqual(await storage.count(`${key}*`), 1, 'count');
    },
  },
  {
    name: 'execute: on a plain value is a TypeError, and the value stays',
    requires: ['atomic'],
    async check({ storage, add, unique }) {
      const key = unique('key');
      await storage.set(key, '1');
      const execute = method(storage, 'execute');
      await assertRejects(() => execute(add, key, plus(1)), 'TypeError', 'execute');
      assertEqual(await storage.get(key), '1', 'get');
    },
  },
  {
    name: 'expire: sets the expiry of the state of an operation',
    requires: ['atomic'],
    async check({ storage, add, unique, assertTtl }) {
      const key = unique('sum');
      const execute = method(storage, 'execute');
      await execute(add, key, plus(1));
      assertEqual(await storage.expire(key, 10), true, 'expire');
      await assertTtl(key, 10_000, 'ttl');
      assertEqual((await execute(add, key, plus(0))).value, 1, 'look');
    },
  },
  {
    name: 'get, mget, incr: on the state of an operation are a TypeError, and the state stays',
    requires: ['atomic'],
    async check({ storage, add, unique }) {
      const key = unique('sum');
      const execute = method(storage, 'execute');
      await execute(add, key, plus(1));
      await assertRejects(() => storage.get(key), 'TypeError', 'get');
      await assertRejects(() => storage.mget([unique('absent'), key]), 'TypeError', 'mget');
      await assertRejects(() => storage.incr(key), 'TypeError', 'incr');
      assertEqual((await execute(add, key, plus(1))).value, 2, 'next step');
    },
  },
];
