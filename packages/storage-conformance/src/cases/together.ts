import type { AtomicCall } from '@frontmcp/guard-core';

import type { AddResult } from '../add-operation.js';
import { assertEqual, assertRejects } from '../assertions.js';
import { method, type CaseContext, type CaseDefinition } from '../conformance-case.js';

function callOf({ add }: CaseContext, key: string, amount: number, max = 9): AtomicCall {
  return { operation: add, key, args: { amount, max, ttlMs: 60_000 } };
}

const sums = (results: readonly unknown[]): [boolean, number][] =>
  (results as AddResult[]).map(({ admitted, value }) => [admitted, value]);

// `{t}` is what Redis Cluster hashes of a key, so that there too these keys meet. Elsewhere it is text like any other.
export const togetherCases: readonly CaseDefinition[] = [
  {
    name: 'executeTogether: all admitted are all committed, results in order',
    requires: ['together'],
    async check(context) {
      const { storage, unique } = context;
      const [a, b] = [unique('{t}a'), unique('{t}b')];
      const executeTogether = method(storage, 'executeTogether');
      await executeTogether([callOf(context, a, 1), callOf(context, b, 2)]);
      const results = await executeTogether([callOf(context, b, 4), callOf(context, a, 3)]);
      const expected = [
        [true, 6],
        [true, 4],
      ];
      assertEqual(sums(results), expected, 'results');
      const after = await executeTogether([callOf(context, b, 0), callOf(context, a, 0)]);
      assertEqual(sums(after), expected, 'a look after');
    },
  },
  {
    name: 'executeTogether: one denied and none is committed, whichever it is',
    requires: ['together'],
    async check(context) {
      const { storage, unique } = context;
      const executeTogether = method(storage, 'executeTogether');
      for (const denied of [0, 1, 2]) {
        const keys = ['a', 'b', 'c'].map((name) => unique(`{t}${name}${denied}`));
        const calls = keys.map((key, index) => callOf(context, key, 1, index === denied ? 0 : 9));
        const expected = keys.map((_, index) => [index !== denied, 1]);
        assertEqual(sums(await executeTogether(calls)), expected, `results, ${denied} denied`);
        const exist = await Promise.all(keys.map((key) => storage.exists(key)));
        assertEqual(exist, [false, false, false], `exists, ${denied} denied`);
      }
    },
  },
  {
    name: 'executeTogether: one denied leaves what is held as it was, whichever it is',
    requires: ['together'],
    async check(context) {
      const { storage, unique } = context;
      const executeTogether = method(storage, 'executeTogether');
      const keys = ['a', 'b', 'c'].map((name) => unique(`{t}${name}`));
      await executeTogether(keys.map((key) => callOf(context, key, 1)));
      for (const denied of [0, 1, 2]) {
        await executeTogether(
          keys.map((key, index) => callOf(context, key, index === denied ? 9 : 1)),
        );
        const after = await executeTogether(keys.map((key) => callOf(context, key, 0)));
        const expected = keys.map(() => [true, 1]);
        assertEqual(sums(after), expected, `a look after, ${denied} denied`);
      }
    },
  },
  {
    name: 'executeTogether: expired state is absent',
    requires: ['together'],
    async check(context) {
      const { storage, add, unique, elapse } = context;
      const executeTogether = method(storage, 'executeTogether');
      const keys = [unique('{t}a'), unique('{t}b')];
      const args = { amount: 5, max: 9, ttlMs: 50 };
      await executeTogether(keys.map((key) => ({ operation: add, key, args })));
      await elapse(100);
      const results = await executeTogether(keys.map((key) => callOf(context, key, 6)));
      const expected = keys.map(() => [true, 6]);
      assertEqual(sums(results), expected, 'results');
    },
  },
  {
    name: 'executeTogether: one denied leaves every expiry alone',
    requires: ['together'],
    async check(context) {
      const { storage, add, unique } = context;
      const [a, b] = [unique('{t}a'), unique('{t}b')];
      await method(storage, 'execute')(add, a, { amount: 1, max: 9, ttlMs: 9_500 });
      await method(storage, 'executeTogether')([callOf(context, a, 1), callOf(context, b, 1, 0)]);
      await context.assertTtl(a, 9_500, 'ttl');
    },
  },
  {
    name: 'executeTogether: meets execute and prepared steps in one state',
    requires: ['together'],
    async check(context) {
      const { storage, unique, prepareAdd } = context;
      const [a, b] = [unique('{t}a'), unique('{t}b')];
      const prepared = prepareAdd();
      await prepared(a, { amount: 1, max: 9, ttlMs: 60_000 });
      const calls = [callOf(context, `${a}:sum`, 2), callOf(context, `${b}:sum`, 2)];
      await method(storage, 'executeTogether')(calls);
      const look = { amount: 0, max: 9, ttlMs: 60_000 };
      assertEqual((await prepared(a, look)).value, 3, 'first sum');
      assertEqual((await prepared(b, look)).value, 2, 'second sum');
    },
  },
  {
    name: 'executeTogether: keys that do not differ are a TypeError, and nothing is done',
    requires: ['together'],
    async check(context) {
      const { storage, unique } = context;
      const key = unique('{t}a');
      const calls = [callOf(context, key, 1), callOf(context, key, 1)];
      const executeTogether = method(storage, 'executeTogether');
      await assertRejects(() => executeTogether(calls), 'TypeError', 'executeTogether');
      assertEqual(await storage.exists(key), false, 'exists');
    },
  },
  {
    name: 'executeTogether: keys that canMeet says no to are refused, and nothing is done',
    requires: ['together'],
    async check(context) {
      const { storage, unique } = context;
      const keys = ['a', 'b', 'c', 'd'].map((name) => unique(name));
      if (storage.canMeet?.(keys) !== false) return;
      const together = method(storage, 'executeTogether');
      const calls = keys.map((key) => callOf(context, key, 1));
      await assertRejects(() => together(calls), 'GuardStorageUnsupportedError', 'executeTogether');
      const exist = await Promise.all(keys.map((key) => storage.exists(key)));
      assertEqual(exist, [false, false, false, false], 'exists');
    },
  },
  {
    name: 'executeTogether: an empty list is no step at all',
    requires: ['together'],
    async check({ storage }) {
      assertEqual(await method(storage, 'executeTogether')([]), [], 'executeTogether');
    },
  },
];
