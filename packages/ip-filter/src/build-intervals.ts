import { MinHeap } from './min-heap.js';
import { sortRows } from './radix-sort.js';
import type { RuleColumns } from './rule-columns.js';
import { NO_RULE, verdictOf } from './verdict.js';

/**
 * Cuts the address space of one family into the fewest disjoint intervals that each have one verdict.
 *
 * The result is `width + 1` words an interval, ascending: the first address, then the verdict. The first interval starts
 * at address 0, each ends before the next, the last at the end of the space. At most `2 × rules + 1` intervals come out,
 * however the rules nest or overlap.
 *
 * A sweep over the starts of the rules with one heap of open rules per list, the rule that covers the fewest addresses on
 * top (on a tie the first in its list); a rule whose end has passed is dropped when it reaches the top. O(n log n).
 *
 * @param denyCount how many positions belong to the deny list
 */
export function buildIntervals(columns: RuleColumns, denyCount: number): Uint32Array {
  const { width, count, first, last, rule } = columns;
  const bySize = sortRows(sizes(columns), width, count);
  const rank = new Uint32Array(count);
  for (let position = 0; position < count; position++) rank[bySize[position] as number] = position;
  const byStart = sortRows(first, width, count);

  const deny = new MinHeap(count);
  const allow = new MinHeap(count);
  const at = new Uint32Array(width);
  const stride = width + 1;
  const out = new Uint32Array((2 * count + 1) * stride);
  let used = 0;
  let next = 0;
  let previous = -1;

  const dropEnded = (heap: MinHeap): number => {
    let top = heap.peek();
    while (top !== -1) {
      const row = bySize[top] as number;
      if (compare(last, row * width, at, width) >= 0) return row;
      heap.pop();
      top = heap.peek();
    }
    return -1;
  };

  for (;;) {
    while (next < count && compare(first, (byStart[next] as number) * width, at, width) === 0) {
      const row = byStart[next++] as number;
      ((rule[row] as number) < denyCount ? deny : allow).push(rank[row] as number);
    }
    const denied = dropEnded(deny);
    const allowed = dropEnded(allow);
    const decides = denied === -1 ? allowed : denied;
    const verdict = decides === -1 ? NO_RULE : verdictOf(rule[decides] as number, allowed !== -1);
    if (verdict !== previous) {
      for (let word = 0; word < width; word++) out[used++] = at[word] as number;
      out[used++] = verdict;
      previous = verdict;
    }

    const start = next < count ? (byStart[next] as number) : -1;
    const end = earlier(denied, allowed);
    if (start !== -1 && (end === -1 || compareRows(first, start, last, end, width) <= 0)) {
      copy(first, start * width, at, width);
    } else if (end === -1 || !copyNext(last, end * width, at, width)) {
      return out.slice(0, used);
    }
  }

  /** Of two open rules, the one that ends first; -1 stands for none. */
  function earlier(one: number, other: number): number {
    if (one === -1 || other === -1) return Math.max(one, other);
    return compareRows(last, one, last, other, width) <= 0 ? one : other;
  }
}

/** The number of addresses of each rule, less one, so that it fits the family's width. */
function sizes({ width, count, first, last }: RuleColumns): Uint32Array {
  const out = new Uint32Array(count * width);
  for (let row = 0; row < count; row++) {
    let borrow = 0;
    for (let at = row * width + width - 1; at >= row * width; at--) {
      const difference = (last[at] as number) - (first[at] as number) - borrow;
      borrow = difference < 0 ? 1 : 0;
      out[at] = difference;
    }
  }
  return out;
}

function compare(rows: Uint32Array, from: number, address: Uint32Array, width: number): number {
  for (let word = 0; word < width; word++) {
    const difference = (rows[from + word] as number) - (address[word] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

function compareRows(
  left: Uint32Array,
  leftRow: number,
  right: Uint32Array,
  rightRow: number,
  width: number,
): number {
  for (let word = 0; word < width; word++) {
    const difference =
      (left[leftRow * width + word] as number) - (right[rightRow * width + word] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

function copy(rows: Uint32Array, from: number, address: Uint32Array, width: number): void {
  for (let word = 0; word < width; word++) address[word] = rows[from + word] as number;
}

/** Sets `address` to the address after one in `rows`; false when that was the last of the space. */
function copyNext(rows: Uint32Array, from: number, address: Uint32Array, width: number): boolean {
  let carry = 1;
  for (let word = width - 1; word >= 0; word--) {
    const sum = (rows[from + word] as number) + carry;
    address[word] = sum;
    carry = sum > 0xffffffff ? 1 : 0;
  }
  return carry === 0;
}
