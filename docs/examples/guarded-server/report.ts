import type { Gauge } from './gauge.ts';
import { exportSlots, perIp, searchPerUser } from './limits.ts';
import type { Tally } from './tally.ts';

/** A figure, what it is held against, and whether it held. */
interface Row {
  readonly what: string;
  readonly figure: string;
  readonly held?: boolean;
}

/** The answers of a run in which every guard had something to do. */
const ANSWERS = [
  ['ADMITTED', 'admitted'],
  ['RATE_LIMIT_EXCEEDED global', 'refused by the limit of an address'],
  ['RATE_LIMIT_EXCEEDED /search', 'refused by the limit of a user'],
  ['QUEUE_TIMEOUT', 'refused after waiting for a slot'],
  ['IP_BLOCKED', 'refused by the deny list'],
  ['EXECUTION_TIMEOUT', 'timed out'],
] as const;

/** When the clients began and were done, on the clock that the limits are aligned to. */
export interface RunTime {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** How many calls began in each process, where there are several. */
  readonly admittedByProcess?: readonly number[];
}

interface Limit {
  readonly maxRequests: number;
  readonly windowMs: number;
}

/**
 * Prints what happened and says whether every limit held. No window admits more than its maximum, so what the handlers
 * counted is held against the maximum times the windows that the run touched.
 */
export function report(tally: Tally, gauge: Gauge, run: RunTime): boolean {
  const bySearchUser = mostOf(
    gauge.starts.filter(({ route }) => route === '/search').map(({ user }) => user),
  );
  const byIp = mostOf(gauge.starts.map(({ ip }) => ip));
  const searchCap = cap(searchPerUser, run);
  const ipCap = cap(perIp, run);
  const timeouts = tally.count('EXECUTION_TIMEOUT');
  const rows: Row[] = [
    { what: 'sent', figure: String(tally.sent) },
    ...ANSWERS.map(([code, what]) => ({
      what,
      figure: String(tally.count(code)),
      held: tally.count(code) > 0,
    })),
    {
      what: 'most admitted for one user on /search',
      figure: `${String(bySearchUser)} of ${String(searchCap)}`,
      held: bySearchUser <= searchCap,
    },
    {
      what: 'most admitted for one address',
      figure: `${String(byIp)} of ${String(ipCap)}`,
      held: byIp <= ipCap,
    },
    {
      what: 'highest concurrency inside /export',
      figure: `${String(gauge.highest)} of ${String(exportSlots.maxConcurrent)}`,
      held: gauge.highest <= exportSlots.maxConcurrent && gauge.highest > 1,
    },
    {
      what: 'works past their timeout that held their slot',
      figure: `${String(gauge.overruns - gauge.begunOverMax)} of ${String(timeouts)}`,
      held: gauge.overruns === timeouts && gauge.begunOverMax === 0,
    },
    {
      what: 'retry-after obeyed and admitted',
      figure: `${String(tally.obeyedAndAdmitted)} of ${String(tally.obeyed)}`,
      held: tally.obeyed > 0 && tally.obeyedAndAdmitted === tally.obeyed,
    },
    ...byProcess(run.admittedByProcess ?? []),
    {
      what: 'unexpected answers',
      figure: String(unexpected(tally)),
      held: unexpected(tally) === 0,
    },
  ];
  print(rows);
  return rows.every(({ held }) => held !== false);
}

/** Limits that hold over several processes prove little unless each had its share. */
function byProcess(counts: readonly number[]): Row[] {
  if (counts.length === 0) return [];
  const held = counts.every((count) => count > 0);
  return [{ what: 'admitted by each process', figure: counts.join(' + '), held }];
}

function cap({ maxRequests, windowMs }: Limit, { startedAtMs, endedAtMs }: RunTime): number {
  const windows = Math.floor(endedAtMs / windowMs) - Math.floor(startedAtMs / windowMs) + 1;
  return maxRequests * windows;
}

function mostOf(names: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

function unexpected(tally: Tally): number {
  const known = new Set<string>(ANSWERS.map(([code]) => code));
  let count = 0;
  for (const [answer, times] of tally.answers) if (!known.has(answer)) count += times;
  return count;
}

function print(rows: readonly Row[]): void {
  const width = Math.max(...rows.map(({ what }) => what.length));
  for (const { what, figure, held } of rows) {
    const verdict = held === undefined ? '' : held ? 'ok' : 'FAILED';
    console.log(`  ${what.padEnd(width)}  ${figure.padStart(14)}  ${verdict}`);
  }
}
