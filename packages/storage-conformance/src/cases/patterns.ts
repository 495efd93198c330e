import { assertEqual } from '../assertions.js';
import type { CaseContext, CaseDefinition } from '../conformance-case.js';

/** Writes names under a prefix of their own, and says which of them a pattern finds. */
async function writeNames(
  { storage, unique }: CaseContext,
  names: readonly string[],
): Promise<(pattern: string) => Promise<string[]>> {
  const prefix = unique('');
  for (const name of names) await storage.set(unique(name), 'value');
  return async (pattern) => {
    const found = await storage.keys(prefix + pattern);
    return found.map((key) => key.slice(prefix.length)).sort();
  };
}

export const patternCases: readonly CaseDefinition[] = [
  {
    name: 'keys: * stands for any run, an empty one too',
    requires: ['enumerate'],
    async check(context) {
      const find = await writeNames(context, ['a', 'a:b', 'a:b:c', 'b']);
      assertEqual(await find('*'), ['a', 'a:b', 'a:b:c', 'b'], '*');
      assertEqual(await find('a*'), ['a', 'a:b', 'a:b:c'], 'a*');
      assertEqual(await find('*:*c'), ['a:b:c'], '*:*c');
      assertEqual(await find('x*'), [], 'x*');
    },
  },
  {
    name: 'keys: ? stands for one character',
    requires: ['enumerate'],
    async check(context) {
      const find = await writeNames(context, ['a', 'ab', 'abc', 'b']);
      assertEqual(await find('?'), ['a', 'b'], '?');
      assertEqual(await find('a??'), ['abc'], 'a??');
    },
  },
  {
    name: 'keys: a pattern is held against the whole name',
    requires: ['enumerate'],
    async check(context) {
      const find = await writeNames(context, ['ab', 'abc', 'xab']);
      assertEqual(await find('ab'), ['ab'], 'ab');
    },
  },
  {
    name: 'keys: \\ takes the next character as it is',
    requires: ['enumerate'],
    async check(context) {
      const find = await writeNames(context, ['a*', 'ab', 'a?', 'a\\', 'a\\b']);
      assertEqual(await find('a\\*'), ['a*'], 'a\\*');
      assertEqual(await find('a\\?'), ['a?'], 'a\\?');
      assertEqual(await find('a\\\\'), ['a\\'], 'a\\\\');
      assertEqual(await find('a\\b'), ['ab'], 'a\\b');
    },
  },
  {
    name: 'keys: no other character is special',
    requires: ['enumerate'],
    async check(context) {
      const names = ['[ab]', '{a,b}', '^a', 'a.b', 'a+', '(a|b)', '$a', 'a-z'];
      const find = await writeNames(context, [...names, 'a', 'b', 'axb', 'aa']);
      for (const name of names) assertEqual(await find(name), [name], name);
    },
  },
  {
    name: 'keys: without a pattern, all',
    requires: ['enumerate'],
    async check({ storage, unique }) {
      const names = [unique('a'), unique('b')];
      for (const name of names) await storage.set(name, 'value');
      const found = await storage.keys();
      assertEqual(found.filter((key) => names.includes(key)).sort(), names.sort(), 'keys()');
    },
  },
  {
    name: 'keys: an expired key is absent',
    requires: ['enumerate'],
    async check(context) {
      const find = await writeNames(context, ['a']);
      await context.storage.set(context.unique('b'), 'value', { ttlMs: 50 });
      await context.elapse(100);
      assertEqual(await find('*'), ['a'], '*');
    },
  },
  {
    name: 'count: as many as keys finds',
    requires: ['enumerate'],
    async check({ storage, unique }) {
      const prefix = unique('');
      for (const name of ['a', 'ab', 'b']) await storage.set(unique(name), 'value');
      assertEqual(await storage.count(`${prefix}a*`), 2, 'count of a*');
      assertEqual(await storage.count(`${prefix}x*`), 0, 'count of x*');
      assertEqual((await storage.count()) >= 3, true, 'count() is at least 3');
    },
  },
];
