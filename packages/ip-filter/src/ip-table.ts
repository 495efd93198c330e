import { parseIp } from '@frontmcp/guard-core';
import { buildIntervals } from './build-intervals.js';
import { indexIpv4, indexIpv6, slotOf } from './interval-index.js';
import type { Ipv6Index } from './interval-index.js';
import type { RuleColumns } from './rule-columns.js';
import { NO_RULE } from './verdict.js';
import type { Verdict } from './verdict.js';

const V4_STRIDE = 2;
const V6_STRIDE = 5;

const address = new Uint32Array(4);

/**
 * Rules of both families, compiled for lookup: disjoint sorted intervals with their verdicts resolved, in typed arrays.
 * Immutable. A lookup costs the parse of the address and a binary search inside one bucket, and allocates nothing.
 */
export class IpTable {
  readonly #v4: Uint32Array;
  readonly #v4Index: Uint32Array | undefined;
  readonly #v6: Uint32Array;
  readonly #v6Index: Ipv6Index | undefined;

  constructor(v4: RuleColumns, v6: RuleColumns, denyCount: number) {
    this.#v4 = buildIntervals(v4, denyCount);
    this.#v4Index = indexIpv4(this.#v4, V4_STRIDE);
    this.#v6 = buildIntervals(v6, denyCount);
    this.#v6Index = indexIpv6(this.#v6, V6_STRIDE);
  }

  /** Bytes of the typed arrays that hold the intervals and their indexes. */
  get byteLength(): number {
    const arrays = [this.#v4, this.#v4Index, this.#v6, this.#v6Index?.root, this.#v6Index?.slots];
    return arrays.reduce((bytes, array) => bytes + (array?.byteLength ?? 0), 0);
  }

  /** The verdict on an address; `NO_RULE` for anything that is not one. */
  find(ip: string | undefined): Verdict {
    switch (parseIp(ip, address)) {
      case 4:
        return findV4(this.#v4, this.#v4Index);
      case 6:
        return findV6(this.#v6, this.#v6Index);
      default:
        return NO_RULE;
    }
  }
}

function findV4(intervals: Uint32Array, index: Uint32Array | undefined): Verdict {
  const word = address[0] as number;
  let low = 0;
  let high = intervals.length / V4_STRIDE;
  if (index !== undefined) {
    low = index[word >>> 16] as number;
    high = (index[(word >>> 16) + 1] as number) + 1;
  }
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((intervals[middle * V4_STRIDE] as number) <= word) low = middle;
    else high = middle;
  }
  return intervals[low * V4_STRIDE + 1] as number;
}

function findV6(intervals: Uint32Array, index: Ipv6Index | undefined): Verdict {
  const word = address[0] as number;
  let low = 0;
  let high = intervals.length / V6_STRIDE;
  if (index !== undefined) {
    const slot = slotOf(index.root, word);
    low = index.slots[slot] as number;
    high = (index.slots[slot + 1] as number) + 1;
  }
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    const start = intervals[middle * V6_STRIDE] as number;
    if (start < word || (start === word && restStarts(intervals, middle * V6_STRIDE))) low = middle;
    else high = middle;
  }
  return intervals[low * V6_STRIDE + 4] as number;
}

/** Whether the interval at `at` starts at or before the address, given that their first words are equal. */
function restStarts(intervals: Uint32Array, at: number): boolean {
  for (let word = 1; word < 4; word++) {
    const start = intervals[at + word] as number;
    const wanted = address[word] as number;
    if (start !== wanted) return start < wanted;
  }
  return true;
}
