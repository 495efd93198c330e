import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  figuresOf,
  FULL,
  goal,
  ratioOf,
  rowOf,
  type Findings,
  type Goal,
  type GroupResult,
  type Pace,
} from './findings.ts';
import { compare, repeat, type Contender } from './harness.ts';
import { callerKeys, shuffle } from './keys.ts';
import { FLOOR, FULL_FLOOR, limiters, type Limiter } from './limiters.ts';
import { printGroup } from './print.ts';
import { quantile, spread } from './statistics.ts';

const PLENTY = 1_000_000_000;
const MANY = 100_000;

const OURS = '@frontmcp/guard-rate-limit';
const FLEXIBLE = 'rate-limiter-flexible (fixed)';

/** Times one check of a rate limit in memory, admitted and denied, on one key and on many; and weighs the heap per key. */
export async function benchMemory(pace: Pace): Promise<Findings> {
  const checks: GroupResult[] = [];
  for (const count of [1, MANY]) {
    for (const allowed of [true, false]) checks.push(await compareChecks(count, allowed, pace));
  }
  const heap = weighHeap(pace);
  return { groups: [...checks, heap], goals: goalsOf(checks, heap) };
}

function compareChecks(count: number, allowed: boolean, pace: Pace): Promise<GroupResult> {
  const outcome = allowed ? 'admitted' : 'denied';
  const keys = `${count.toLocaleString('en')} key${count > 1 ? 's' : ''}`;
  return compare(
    {
      id: `${String(count)}-${outcome}`,
      title: `${keys}, ${outcome}`,
      expected: allowed,
      floor: FLOOR,
      contenders: Object.fromEntries(
        Object.entries(limiters).map(([name, make]) => [
          name,
          async () => checking(await make(allowed ? PLENTY : 1), count),
        ]),
      ),
    },
    pace,
  );
}

function goalsOf(checks: readonly GroupResult[], heap: GroupResult): Goal[] {
  const many = checks.filter(({ id }) => id.startsWith(String(MANY)));
  const peers = Object.keys(limiters).filter((name) => ![OURS, FLOOR, FULL_FLOOR].includes(name));
  const fastestPeer = (group: GroupResult): number =>
    Math.min(...peers.map((peer) => ratioOf(group, peer, OURS)));
  return [
    goal({
      id: 'memory-floor',
      text: 'A check costs at most 1.15 × the hand-written floor',
      bound: { atMost: 1.15 },
      unit: '×',
      figures: figuresOf(checks, (group) => ratioOf(group, OURS, FLOOR)),
    }),
    goal({
      id: 'memory-peers',
      text: 'Ahead of every peer at 100,000 keys: what the fastest costs ÷ ours',
      bound: { atLeast: 1 },
      unit: '×',
      figures: figuresOf(many, fastestPeer),
    }),
    goal({
      id: 'memory-flexible',
      text: 'At least twice as fast as rate-limiter-flexible',
      bound: { atLeast: 2 },
      unit: '×',
      figures: figuresOf(checks, (group) => ratioOf(group, FLEXIBLE, OURS)),
    }),
    goal({
      id: 'memory-heap',
      text: 'A key of a million takes at most 160 bytes of heap',
      bound: { atMost: 160 },
      unit: 'B',
      figures: { 'a key': rowOf(heap, OURS).median },
    }),
  ];
}

/** A limiter that is asked about so many keys in a random order. Every key has been seen once, so that a limit of one denies the next call. */
export async function checking({ check, isAllowed }: Limiter, count: number): Promise<Contender> {
  const keys = callerKeys(count);
  for (const key of keys) await check(key);
  shuffle(keys);
  return { loop: repeat((i) => check(keys[i % count] as string)), answer: isAllowed };
}

/** What a key keeps in each limiter, three processes a limiter. */
function weighHeap(pace: Pace): GroupResult {
  const count = pace === FULL ? 1_000_000 : 100_000;
  const script = fileURLToPath(new URL('./memory-heap.ts', import.meta.url));
  const weigh = (name: string): { heap: number; rss: number } => {
    const args = [script, name, String(count)];
    const output = execFileSync(process.execPath, args, { encoding: 'utf8' });
    return JSON.parse(output) as { heap: number; rss: number };
  };
  return printGroup({
    id: 'heap',
    title: `Heap per key, of ${count.toLocaleString('en')}`,
    unit: 'B',
    rows: Object.keys(limiters).map((name) => {
      const weights = [1, 2, 3].map(() => weigh(name));
      const resident = quantile(
        weights.map(({ rss }) => rss),
        0.5,
      );
      const row = spread(
        name,
        weights.map(({ heap }) => heap),
      );
      return { ...row, extra: { 'resident, B': resident } };
    }),
  });
}
