import fc from 'fast-check';
import { sortRows } from './radix-sort.js';

const word = fc.oneof(fc.nat(0xffffffff), fc.constantFrom(0, 1, 255, 256, 0x80000000, 0xffffffff));

function rows(width: number): fc.Arbitrary<number[][]> {
  const row = fc.array(word, { minLength: width, maxLength: width });
  return fc.array(row, { maxLength: 60 });
}

describe('sortRows', () => {
  it.each([1, 4])('sorts rows of %i words like a stable comparison sort', (width) => {
    fc.assert(
      fc.property(rows(width), (table) => {
        const sorted = table
          .map((row, index) => ({ row, index }))
          .sort((left, right) => {
            const at = left.row.findIndex((value, word) => value !== right.row[word]);
            return at === -1 ? 0 : left.row[at]! - right.row[at]!;
          })
          .map(({ index }) => index);
        expect([...sortRows(Uint32Array.from(table.flat()), width, table.length)]).toEqual(sorted);
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  it('keeps equal rows in their order', () => {
    expect([...sortRows(Uint32Array.of(5, 3, 5, 3, 5), 1, 5)]).toEqual([1, 3, 0, 2, 4]);
  });

  it('reads only the rows that it is told of', () => {
    expect([...sortRows(Uint32Array.of(2, 1, 0, 0), 1, 2)]).toEqual([1, 0]);
    expect([...sortRows(new Uint32Array(0), 4, 0)]).toEqual([]);
  });
});
