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
  const { width, count, first, last, rule, rank } = sortByStart(columns);
  const rowOfRank = new Uint32Array(count);
  for (let row = 0; row < count; row++) rowOfRank[rank[row] as number] = row;

  const deny = new MinHeap(count);
  const allow = new MinHeap(count);
  const at = new Uint32Array(width);
  const out = new Uint32Array((2 * count + 1) * (width + 1));
  let used = 0;
  let next = 0;
  let previous = -1;

  for (;;) {
    while (next < count && compare(first, next * width, at, 0, width) === 0) {
      ((rule[next] as number) < denyCount ? deny : allow).push(rank[next] as number);
      next++;
    }
    const denied = openTop(deny);
    const allowed = openTop(allow);
    const deciding = denied === -1 ? allowed : denied;
    const verdict = deciding === -1 ? NO_RULE : verdictOf(rule[deciding] as number, allowed !== -1);
    if (verdict !== previous) {
      for (let word = 0; word < width; word++) out[used++] = at[word] as number;
      out[used++] = verdict;
      previous = verdict;
    }

    const ending = endsFirst(denied, allowed);
    if (
      next < count &&
      (ending === -1 || compare(first, next * width, last, ending * width, width) <= 0)
    ) {
      for (let word = 0; word < width; word++) at[word] = first[next * width + word] as number;
    } else if (ending === -1 || !setToNext(at, last, ending * width, width)) {
      return out.slice(0, used);
    }
  }

  /** The row on top of a heap that is still open at `at`, or -1; drops the ended ones above it. */
  function openTop(heap: MinHeap): number {
    for (let top = heap.peek(); top !== -1; top = heap.peek()) {
      const row = rowOfRank[top] as number;
      if (compare(last, row * width, at, 0, width) >= 0) return row;
      heap.pop();
    }
    return -1;
  }

  /** Of two open rows, the one that ends first; -1 stands for none. */
  function endsFirst(one: number, other: number): number {
    if (one === -1 || other === -1) return Math.max(one, other);
    return compare(last, one * width, last, other * width, width) <= 0 ? one : other;
  }
}

interface SortedColumns extends RuleColumns {
  /** The place of each rule in the order of (addresses covered, position in its list). */
  readonly rank: Uint32Array;
}

/** The rules in the order of their first addresses, so that the sweep reads memory in order. */
function sortByStart(columns: RuleColumns): SortedColumns {
  const { width, count } = columns;
  const bySize = sortRows(sizes(columns), width, count);
  const rankOfRow = new Uint32Array(count);
  for (let place = 0; place < count; place++) rankOfRow[bySize[place] as number] = place;
  const order = sortRows(columns.first, width, count);
  return {
    width,
    count,
    first: takeRows(columns.first, order, width),
    last: takeRows(columns.last, order, width),
    rule: takeRows(columns.rule, order, 1),
    rank: takeRows(rankOfRow, order, 1),
  };
}

function takeRows(rows: Uint32Array, order: Uint32Array, width: number): Uint32Array {
  const out = new Uint32Array(order.length * width);
  let used = 0;
  for (let place = 0; place < order.length; place++) {
    const from = (order[place] as number) * width;
    for (let word = 0; word < width; word++) out[used++] = rows[from + word] as number;
  }
  return out;
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

/** Below, equal to or above 0 as the address at `left` is before, at or after the one at `right`. */
function compare(
  leftRows: Uint32Array,
  left: number,
  rightRows: Uint32Array,
  right: number,
  width: number,
): number {
  for (let word = 0; word < width; word++) {
    const difference = (leftRows[left + word] as number) - (rightRows[right + word] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Sets `address` to the address after the one in `rows`; false when that one was the last of the space. */
function setToNext(address: Uint32Array, rows: Uint32Array, from: number, width: number): boolean {
  let carry = 1;
  for (let word = width - 1; word >= 0; word--) {
    const sum = (rows[from + word] as number) + carry;
    address[word] = sum;
    carry = sum > 0xffffffff ? 1 : 0;
  }
  return carry === 0;
}
