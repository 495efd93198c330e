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

describe.each([10, 16_384, 16_385, 50_000])('an EntryMap of %d entries', (count) => {
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
  test('keeps no part so large that building it anew takes long', () => {
    const entries = filled(300_000);
    const sizes = entries.maps().map(({ size }) => size);
    expect(Math.max(...sizes)).toBeLessThan(3_000);
  });

  test('ends a cursor that was at work when it was parted, so that no entry is seen as it was', () => {
    const entries = filled(16_384);
    const cursor = new EntryCursor(entries);
    cursor.next();
    entries.set('one more', entry(1));
    entries.set(keyOf(9), entry(-1));
    expect(cursor.next()).toBeUndefined();
    expect(all(new EntryCursor(entries))).toHaveLength(16_385);
  });
});
