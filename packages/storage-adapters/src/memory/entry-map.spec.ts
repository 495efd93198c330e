import type { AtomicState } from '@frontmcp/guard-core';

import { EntryCursor, EntryMap } from './entry-map.js';

const entry = (expiresAtMs: number): AtomicState => ({ expiresAtMs });
const keyOf = (i: number): string => `user:${String(i).padStart(17, '0')}`;

/** A map of so many entries, the i-th of which expires at i. */
function filled(count: number): EntryMap {
  const entries = new EntryMap();
  for (let i = 0; i < count; i++) entries.set(keyOf(i), entry(i));
  return entries;
}

function all(cursor: EntryCursor): string[] {
  const keys: string[] = [];
  for (let next = cursor.next(); next !== undefined; next = cursor.next()) keys.push(next[0]);
  return keys;
}

describe.each([10, 120_001, 150_000])('an EntryMap of %d entries', (count) => {
  test('holds what a Map would hold', () => {
    const entries = filled(count);
    const expected = new Map(Array.from({ length: count }, (_, i) => [keyOf(i), entry(i)]));
    expect(entries.size).toBe(count);
    expect(new Map(entries)).toEqual(expected);
    expect(entries.get(keyOf(7))).toEqual(entry(7));
    expect([entries.has(keyOf(7)), entries.has('no'), entries.get('no')]).toEqual([
      true,
      false,
      undefined,
    ]);
    entries.set(keyOf(7), entry(1));
    expect([entries.size, entries.get(keyOf(7))]).toEqual([count, entry(1)]);
    expect([entries.delete(keyOf(7)), entries.delete(keyOf(7))]).toEqual([true, false]);
    expect([entries.size, entries.has(keyOf(7))]).toEqual([count - 1, false]);
  });

  test('can be emptied, one by one and at once, and filled again', () => {
    const entries = filled(count);
    for (let i = 0; i < count; i++) entries.delete(keyOf(i));
    expect([entries.size, [...entries]]).toEqual([0, []]);
    for (let i = 0; i < count; i++) entries.set(keyOf(i), entry(i));
    expect(entries.size).toBe(count);
    entries.clear();
    expect([entries.size, [...entries], entries.get(keyOf(1))]).toEqual([0, [], undefined]);
    entries.set('a', entry(1));
    expect([...entries]).toEqual([['a', entry(1)]]);
  });

  test('is gone through by a cursor, whatever is deleted meanwhile', () => {
    const entries = filled(count);
    expect(all(new EntryCursor(entries)).sort()).toEqual([...new Map(entries).keys()].sort());
    const cursor = new EntryCursor(entries);
    let seen = 0;
    for (let next = cursor.next(); next !== undefined; next = cursor.next()) {
      entries.delete(next[0]);
      seen++;
    }
    expect([seen, entries.size]).toEqual([count, 0]);
  });
});

describe('an EntryMap', () => {
  test('has its entries in one map, until they are many: then in parts that take no time to build anew', () => {
    const entries = filled(120_000);
    expect(entries.maps()).toHaveLength(1);
    for (let i = 120_000; i < 300_000; i++) entries.set(keyOf(i), entry(i));
    const [one, ...parts] = entries.maps().map(({ size }) => size);
    expect(one).toBe(0);
    expect(Math.max(...parts)).toBeLessThan(3_000);
    for (let i = 0; i < 300_000; i++) entries.delete(keyOf(i));
    expect(entries.maps()).toHaveLength(1);
  });

  test('moves what it is asked to, and no more than there is', () => {
    const entries = filled(120_001);
    const left = (): number | undefined => entries.maps()[0]?.size;
    entries.move(1_000);
    expect([left(), entries.size]).toEqual([119_001, 120_001]);
    expect(entries.get(keyOf(0))).toEqual(entry(0));
    expect(entries.get(keyOf(120_000))).toEqual(entry(120_000));
    entries.move(1_000_000);
    entries.move(1);
    expect([left(), entries.size]).toEqual([0, 120_001]);
  });

  test('has an entry once that is set while it is still to be moved', () => {
    const entries = filled(120_001);
    entries.set(keyOf(90_000), entry(-1));
    expect([entries.size, entries.get(keyOf(90_000))]).toEqual([120_001, entry(-1)]);
    entries.move(1_000_000);
    expect([entries.size, entries.get(keyOf(90_000))]).toEqual([120_001, entry(-1)]);
  });

  test('shows a cursor every entry that stays, though they move meanwhile', () => {
    const entries = filled(120_001);
    const cursor = new EntryCursor(entries);
    const seen = new Set<string>();
    for (let next = cursor.next(); next !== undefined; next = cursor.next()) {
      seen.add(next[0]);
      entries.move(3);
    }
    expect(seen.size).toBe(120_001);
  });
});
