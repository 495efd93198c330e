import { setTimeout as delay } from 'node:timers/promises';
import {
  FULL,
  goal,
  isOurs,
  round,
  rowOf,
  type Goal,
  type GroupResult,
  type Pace,
  type Row,
} from './findings.ts';
import { countingSemaphore } from './floors.ts';
import { printGroup } from './print.ts';
import { quantile, spread } from './statistics.ts';

const SLOTS = 5;
const WAITERS = 50;
const HOLD_MS = 5;
const FLOOR = 'counter and queue';
const OURS = '@frontmcp/guard-semaphore';

/** Does the work while a slot is held. */
type Run = (work: () => Promise<void>) => Promise<unknown>;

interface Round {
  readonly perSecond: number;
  readonly meanMs: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Fifty callers who take one of five slots for 5 ms, again and again: how many get one, and how long they wait. */
export async function compareWaiting(pace: Pace): Promise<GroupResult> {
  const [rounds, roundMs] = pace === FULL ? [7, 2_000] : [1, 500];
  const found = new Map(Object.keys(semaphores).map((name) => [name, [] as Round[]]));
  for (let at = 0; at < rounds; at++) {
    for (const [name, make] of Object.entries(semaphores)) {
      found.get(name)?.push(await waitInLine(await make(), roundMs));
    }
  }
  return printGroup({
    id: 'waiting',
    title: `${String(WAITERS)} callers on ${String(SLOTS)} slots, each held ${String(HOLD_MS)} ms`,
    unit: 'slots taken a second',
    rows: [...found].map(([name, each]) => rowOfRounds(name, each)),
  });
}

/** What the waiting is held to. */
export function waitingGoals(group: GroupResult): Goal[] {
  const ours = rowOf(group, OURS);
  const peers = group.rows.filter(({ name }) => !isOurs(name) && name !== FLOOR);
  const fastest = Math.max(...peers.map(({ median }) => median));
  return [
    goal({
      id: 'semaphore-fair',
      text: 'Of 50 callers on 5 slots, nobody waits longer than 1.5 × the mean',
      bound: { atMost: 1.5 },
      unit: '×',
      figures: { 'longest ÷ mean': Number(ours.extra?.['longest ÷ mean']) },
    }),
    goal({
      id: 'semaphore-throughput',
      text: 'They take as many slots a second as with the fastest peer, within 5 %',
      bound: { atLeast: 0.95 },
      unit: '×',
      figures: { 'ours ÷ fastest': round(ours.median / fastest) },
    }),
  ];
}

const semaphores: Readonly<Record<string, () => Run | Promise<Run>>> = {
  [FLOOR]: () => taking(countingSemaphore(SLOTS)),
  [OURS]: async () => {
    const { createMemoryStorage } = await import('@frontmcp/guard-storage-adapters');
    const { DistributedSemaphore } = await import('@frontmcp/guard-semaphore');
    const semaphore = new DistributedSemaphore(createMemoryStorage());
    return async (work) => {
      const ticket = await semaphore.acquire('bench', SLOTS, 60_000, 'bench');
      await work();
      await ticket?.release();
    };
  },
  'async-sema': async () => {
    const { Sema } = await import('async-sema');
    return taking(new Sema(SLOTS));
  },
  'async-mutex': async () => {
    const { Semaphore } = await import('async-mutex');
    const semaphore = new Semaphore(SLOTS);
    return (work) => semaphore.runExclusive(work);
  },
  'p-limit': async () => (await import('p-limit')).default(SLOTS),
  'cockatiel bulkhead': async () => {
    const { bulkhead } = await import('cockatiel');
    const policy = bulkhead(SLOTS, WAITERS);
    return (work) => policy.execute(work);
  },
};

function taking(semaphore: { acquire(): Promise<unknown>; release(): void }): Run {
  return async (work) => {
    await semaphore.acquire();
    await work();
    semaphore.release();
  };
}

async function waitInLine(run: Run, roundMs: number): Promise<Round> {
  const waits: number[] = [];
  const started = performance.now();
  const endsAt = started + roundMs;
  const caller = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const asked = performance.now();
      await run(async () => {
        waits.push(performance.now() - asked);
        await delay(HOLD_MS);
      });
    }
  };
  await Promise.all(Array.from({ length: WAITERS }, caller));
  return {
    perSecond: (waits.length * 1000) / (performance.now() - started),
    meanMs: waits.reduce((sum, wait) => sum + wait, 0) / waits.length,
    p99Ms: quantile(waits, 0.99),
    maxMs: Math.max(...waits),
  };
}

function rowOfRounds(name: string, rounds: readonly Round[]): Row {
  const median = (figure: (each: Round) => number): number =>
    round(quantile(rounds.map(figure), 0.5));
  return {
    ...spread(
      name,
      rounds.map(({ perSecond }) => perSecond),
    ),
    extra: {
      'mean wait, ms': median(({ meanMs }) => meanMs),
      'p99, ms': median(({ p99Ms }) => p99Ms),
      'longest, ms': median(({ maxMs }) => maxMs),
      'longest ÷ mean': median(({ maxMs, meanMs }) => maxMs / meanMs),
    },
  };
}
