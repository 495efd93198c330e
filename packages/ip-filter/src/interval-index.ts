const BUCKETS = 65_536;
const BUCKET_BITS = 16;
const SMALLEST_INDEXED = 256;

/**
 * Where to search the intervals of IPv6, by the first word of an address.
 *
 * `root` has an entry for each value of the top 16 bits: the number of the first slot of that bucket. A crowded bucket is
 * cut into a power of two of equal slots by its next bits, every other one is one slot: everything in use in IPv6 stands
 * in about 60 of the 65,536 buckets. `slots` are as those of {@link indexIpv4}.
 */
export interface Ipv6Index {
  readonly root: Uint32Array;
  readonly slots: Uint32Array;
}

/**
 * Where to search the intervals of IPv4: for each value of the top 16 bits of an address, a slot, the last interval that
 * starts before it. The interval of an address in slot `s` is one from `slots[s]` to `slots[s + 1]`. 256 KB; `undefined`
 * for a table so small that searching all of it costs no more.
 *
 * @param intervals see `buildIntervals`
 * @param stride words per interval
 */
export function indexIpv4(intervals: Uint32Array, stride: number): Uint32Array | undefined {
  if (intervals.length / stride <= SMALLEST_INDEXED) return undefined;
  const root = new Uint32Array(BUCKETS + 1);
  for (let bucket = 0; bucket <= BUCKETS; bucket++) root[bucket] = bucket;
  return fillSlots(intervals, stride, root);
}

/** The index of IPv6 intervals: 512 KB, and at most 2 bytes an interval more; `undefined` as for {@link indexIpv4}. */
export function indexIpv6(intervals: Uint32Array, stride: number): Ipv6Index | undefined {
  const count = intervals.length / stride;
  if (count <= SMALLEST_INDEXED) return undefined;
  const root = cutBuckets(intervals, stride, count);
  return { root, slots: fillSlots(intervals, stride, root) };
}

/** The slot that the first word of an IPv6 address falls into. */
export function slotOf(root: Uint32Array, word: number): number {
  const bucket = word >>> BUCKET_BITS;
  const base = root[bucket] as number;
  const bits = 31 - Math.clz32((root[bucket + 1] as number) - base);
  return base + ((word & (BUCKETS - 1)) >>> (BUCKET_BITS - bits));
}

function fillSlots(intervals: Uint32Array, stride: number, root: Uint32Array): Uint32Array {
  const final = intervals.length / stride - 1;
  const slots = new Uint32Array((root[BUCKETS] as number) + 1);
  let last = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const base = root[bucket] as number;
    const size = (root[bucket + 1] as number) - base;
    for (let slot = 0; slot < size; slot++) {
      const start = (bucket + slot / size) * BUCKETS;
      while (last < final && (intervals[(last + 1) * stride] as number) < start) last++;
      slots[base + slot] = last;
    }
  }
  slots[slots.length - 1] = final;
  return slots;
}

/** The first slot of each bucket: at least one slot a bucket, at least two intervals a slot in a bucket with more. */
function cutBuckets(intervals: Uint32Array, stride: number, count: number): Uint32Array {
  const root = new Uint32Array(BUCKETS + 1);
  let next = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const first = next;
    while (next < count && (intervals[next * stride] as number) >>> BUCKET_BITS === bucket) next++;
    const bits = Math.max(0, 30 - Math.clz32(Math.max(1, next - first)));
    root[bucket + 1] = (root[bucket] as number) + 2 ** Math.min(BUCKET_BITS, bits);
  }
  return root;
}
