import { collectGarbage } from './collect-garbage.ts';
import { createMemoryStorage } from '@frontmcp/guard-storage-adapters';
import { SlidingWindowRateLimiter } from '@frontmcp/guard-rate-limit';
import { goal, round, rowOf, type Goal, type GroupResult } from './findings.ts';
import { callerKey } from './keys.ts';
import { printGroup } from './print.ts';
import { quantile, spread } from './statistics.ts';

const WINDOW_MS = 60_000;
/** Entries that the storage looks at between two turns of the event loop. */
const SLICE = 1_000;
const OURS = '@frontmcp/guard-storage-adapters/memory';

interface Expiry {
  readonly seconds: number;
  /** How often the sweeper has gone through as many entries as there were. */
  readonly sweeps: number;
  /** The longest turn of the event loop, in CPU time of its thread and in time that went by. */
  readonly cpuPauseMs: number;
  readonly pauseMs: number;
}

/** Lets so many keys expire at the same moment, and follows the storage until all are given back. */
export async function measureExpiry(count: number, rounds: number): Promise<GroupResult> {
  const found: Expiry[] = [];
  for (let at = 0; at < rounds; at++) found.push(await expireAll(count));
  const median = (figure: (each: Expiry) => number): number =>
    round(quantile(found.map(figure), 0.5));
  return printGroup({
    id: 'expiry',
    title: `${count.toLocaleString('en')} keys that expire at once`,
    unit: 's until all are given back',
    rows: [
      {
        ...spread(
          OURS,
          found.map(({ seconds }) => seconds),
        ),
        extra: {
          sweeps: median(({ sweeps }) => sweeps),
          'longest turn, CPU ms': median(({ cpuPauseMs }) => cpuPauseMs),
          'longest turn, elapsed ms': median(({ pauseMs }) => pauseMs),
        },
      },
    ],
  });
}

/** What the expiry is held to. */
export function expiryGoals(group: GroupResult): Goal[] {
  const { extra = {} } = rowOf(group, OURS);
  return [
    goal({
      id: 'growth-expiry',
      text: 'A million expired keys are given back within two sweeps',
      bound: { atMost: 2 },
      unit: 'sweeps',
      figures: { sweeps: Number(extra['sweeps']) },
    }),
    goal({
      id: 'growth-pause',
      text: 'Meanwhile no turn of the event loop takes more than 5 ms of CPU time',
      bound: { atMost: 5 },
      unit: 'ms',
      figures: { 'longest turn': Number(extra['longest turn, CPU ms']) },
    }),
  ];
}

async function expireAll(count: number): Promise<Expiry> {
  let ahead = 0;
  let looks = 0;
  const clock = (): number => {
    looks++;
    return Date.now() + ahead;
  };
  const storage = createMemoryStorage({ clock });
  const limiter = new SlidingWindowRateLimiter(storage);
  for (let i = 0; i < count; i++) await limiter.check(callerKey(i), 10, WINDOW_MS);
  collectGarbage('major');
  ahead = 3 * WINDOW_MS;
  looks = 0;
  const started = performance.now();
  let pauseMs = 0;
  let cpuPauseMs = 0;
  while (storage.size > 0) {
    const turnStarted = performance.now();
    const cpu = process.threadCpuUsage();
    await new Promise((resolve) => setImmediate(resolve));
    const { user, system } = process.threadCpuUsage(cpu);
    cpuPauseMs = Math.max(cpuPauseMs, (user + system) / 1000);
    pauseMs = Math.max(pauseMs, performance.now() - turnStarted);
  }
  const seconds = (performance.now() - started) / 1000;
  await storage.disconnect();
  return { seconds, sweeps: (looks * SLICE) / count, cpuPauseMs, pauseMs };
}
