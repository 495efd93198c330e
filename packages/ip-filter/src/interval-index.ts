const BUCKETS = 65_536;
const SMALLEST_INDEXED = 256;

/**
 * A root index on the top 16 bits of the address: entry `b` is the last interval that starts before bucket `b`, so the
 * interval of an address in `b` is one from entry `b` to entry `b + 1`. 256 KB. `undefined` for a table so small that
 * searching all of it costs no more.
 *
 * @param intervals see `buildIntervals`
 * @param stride words per interval
 */
export function indexIntervals(intervals: Uint32Array, stride: number): Uint32Array | undefined {
  const count = intervals.length / stride;
  if (count <= SMALLEST_INDEXED) return undefined;
  const index = new Uint32Array(BUCKETS + 1);
  for (let bucket = 1, interval = 0; bucket <= BUCKETS; bucket++) {
    while (interval + 1 < count && topBits(intervals, (interval + 1) * stride) < bucket) interval++;
    index[bucket] = interval;
  }
  return index;
}

function topBits(intervals: Uint32Array, at: number): number {
  return (intervals[at] as number) >>> 16;
}
