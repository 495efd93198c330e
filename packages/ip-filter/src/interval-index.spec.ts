import fc from 'fast-check';
import { indexIpv4, indexIpv6, slotOf } from './interval-index.js';

const STRIDE = 2;

/** A table whose intervals start at 0 and at the given words. */
function tableOf(starts: Iterable<number>): Uint32Array {
  const sorted = [...new Set([0, ...starts])].sort((left, right) => left - right);
  const table = new Uint32Array(sorted.length * STRIDE);
  sorted.forEach((start, interval) => (table[interval * STRIDE] = start));
  return table;
}

function lastAtOrBefore(table: Uint32Array, word: number): number {
  let found = 0;
  for (let at = 0; at * STRIDE < table.length; at++) if (table[at * STRIDE]! <= word) found = at;
  return found;
}

const clustered = fc
  .tuple(fc.constantFrom(0, 0x2001, 0x2a00, 0xffff), fc.nat(0xffff))
  .map(([bucket, rest]) => bucket * 65_536 + rest);
const starts = fc.uniqueArray(fc.oneof(clustered, fc.nat(0xffffffff)), {
  minLength: 300,
  maxLength: 600,
});
const words = fc.array(fc.oneof(clustered, fc.nat(0xffffffff)), { minLength: 20, maxLength: 20 });

describe('the indexes of intervals', () => {
  it('are left out of a table of 256 intervals or fewer', () => {
    const numbers = Array.from({ length: 256 }, (_, i) => i);
    expect(indexIpv4(tableOf(numbers), STRIDE)).toBeUndefined();
    expect(indexIpv6(tableOf(numbers), STRIDE)).toBeUndefined();
    expect(indexIpv4(tableOf([...numbers, 256]), STRIDE)).toBeDefined();
    expect(indexIpv6(tableOf([...numbers, 256]), STRIDE)).toBeDefined();
  });

  it('hold the interval of every address between two neighbours', () => {
    fc.assert(
      fc.property(starts, words, (numbers, addresses) => {
        const table = tableOf(numbers);
        const v4 = indexIpv4(table, STRIDE)!;
        const v6 = indexIpv6(table, STRIDE)!;
        for (const word of [...addresses, ...numbers.slice(0, 20), 0, 0xffffffff]) {
          const interval = lastAtOrBefore(table, word);
          const bucket = word >>> 16;
          expect(v4[bucket]!).toBeLessThanOrEqual(interval);
          expect(v4[bucket + 1]!).toBeGreaterThanOrEqual(interval);
          const slot = slotOf(v6.root, word);
          expect(v6.slots[slot]!).toBeLessThanOrEqual(interval);
          expect(v6.slots[slot + 1]!).toBeGreaterThanOrEqual(interval);
        }
      }),
      { seed: 13, numRuns: 20 },
    );
  });

  it('cuts a crowded bucket so that few intervals are left to search', () => {
    const crowded = Array.from({ length: 40_000 }, (_, i) => 0x2a000000 + i);
    const table = tableOf(crowded);
    const { root, slots } = indexIpv6(table, STRIDE)!;
    const widest = crowded.map((word) => {
      const slot = slotOf(root, word);
      return slots[slot + 1]! - slots[slot]!;
    });
    expect(Math.max(...widest)).toBeLessThanOrEqual(4);
  });

  it('is bounded by its two levels', () => {
    const spread = tableOf(Array.from({ length: 100_000 }, (_, i) => i * 42_949));
    expect(indexIpv4(spread, STRIDE)!.byteLength).toBe(65_537 * 4);
    for (const table of [spread, tableOf(Array.from({ length: 100_000 }, (_, i) => i))]) {
      const { root, slots } = indexIpv6(table, STRIDE)!;
      expect(root.byteLength).toBe(65_537 * 4);
      expect(slots.length).toBeLessThanOrEqual(65_537 + table.length / STRIDE / 2);
    }
  });
});
