const DIGITS = 256;

/**
 * The row numbers of a table of 32-bit words in ascending order of the rows, equal rows in their original order.
 *
 * A least-significant-digit radix sort by bytes: O(rows × width), no comparison, no object per row, and a byte that is
 * the same in every row costs no pass. It allocates two arrays of row numbers and 4 KB of counters per word of width.
 *
 * @param rows `count` rows of `width` words each, most significant word first
 */
export function sortRows(rows: Uint32Array, width: number, count: number): Uint32Array {
  const counts = countDigits(rows, width, count);
  let order = new Uint32Array(count);
  let target = new Uint32Array(count);
  for (let row = 0; row < count; row++) order[row] = row;
  for (let digit = 0; digit < width * 4; digit++) {
    const starts = counts.subarray(digit * DIGITS, (digit + 1) * DIGITS);
    if (starts.includes(count)) continue;
    prefixSums(starts);
    const word = width - 1 - (digit >>> 2);
    const shift = (digit & 3) * 8;
    for (let position = 0; position < count; position++) {
      const row = order[position] as number;
      const value = ((rows[row * width + word] as number) >>> shift) & 255;
      target[(starts[value] as number)++] = row;
    }
    [order, target] = [target, order];
  }
  return order;
}

function countDigits(rows: Uint32Array, width: number, count: number): Uint32Array {
  const counts = new Uint32Array(width * 4 * DIGITS);
  for (let row = 0, at = 0; row < count; row++) {
    for (let word = width - 1; word >= 0; word--, at++) {
      const value = rows[at] as number;
      const base = word * 4 * DIGITS;
      (counts[base + (value & 255)] as number)++;
      (counts[base + DIGITS + ((value >>> 8) & 255)] as number)++;
      (counts[base + 2 * DIGITS + ((value >>> 16) & 255)] as number)++;
      (counts[base + 3 * DIGITS + (value >>> 24)] as number)++;
    }
  }
  return counts;
}

function prefixSums(counts: Uint32Array): void {
  let sum = 0;
  for (let value = 0; value < DIGITS; value++) {
    const here = counts[value] as number;
    counts[value] = sum;
    sum += here;
  }
}
