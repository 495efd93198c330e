import type { Gauge } from './gauge.ts';
import { exportSlots, perIp, searchPerUser } from './limits.ts';
import type { Tally } from './tally.ts';

/** A figure, what it is held against, and whether it held. */
interface Row {
  readonly what: string;
  readonly figure: string;
  readonly held?: boolean;
}

/**
 * Prints what happened and says whether every limit held.
 *
 * A window that ends anywhere in a run of `elapsedMs` touches so many aligned windows, and each of them admits its maximum
 * at most: that is what the counts of the handlers are held against.
 */
export function report(tally: Tally, gauge: Gauge, elapsedMs: number): boolean {
  const bySearchUser = mostOf(
    gauge.starts.filter(({ route }) => route === '/search').map(({ user }) => user),
  );
  const byIp = mostOf(gauge.starts.map(({ ip }) => ip));
  const searchCap = cap(searchPerUser, elapsedMs);
  const ipCap = cap(perIp, elapsedMs);
  const timeouts = tally.count('EXECUTION_TIMEOUT');
  const rows: Row[] = [
    { what: 'sent', figure: String(tally.sent) },
    {
      what: 'admitted',
      figure: String(tally.count('ADMITTED')),
      held: tally.count('ADMITTED') > 0,
    },
    {
      what: 'refused by rate limit',
      figure: String(tally.count('RATE_LIMIT_EXCEEDED')),
      held: tally.count('RATE_LIMIT_EXCEEDED') > 0,
    },
    {
      what: 'refused by full queue time',
      figure: String(tally.count('QUEUE_TIMEOUT')),
      held: tally.count('QUEUE_TIMEOUT') > 0,
    },
    {
      what: 'refused by IP filter',
      figure: String(tally.count('IP_BLOCKED')),
      held: tally.count('IP_BLOCKED') > 0,
    },
    { what: 'timed out', figure: String(timeouts), held: timeouts > 0 },
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
      what: 'work past its timeout that kept its slot',
      figure: `${String(gauge.overruns)} of ${String(timeouts)}`,
      held: gauge.overruns === timeouts,
    },
    {
      what: 'retry-after obeyed and admitted',
      figure: `${String(tally.obeyedAndAdmitted)} of ${String(tally.obeyed)}`,
      held: tally.obeyed > 0 && tally.obeyedAndAdmitted === tally.obeyed,
    },
    {
      what: 'unexpected answers',
      figure: String(unexpected(tally)),
      held: unexpected(tally) === 0,
    },
  ];
  print(rows);
  return rows.every(({ held }) => held !== false);
}

function cap(
  { maxRequests, windowMs }: typeof perIp | typeof searchPerUser,
  elapsedMs: number,
): number {
  return maxRequests * (Math.ceil(elapsedMs / windowMs) + 1);
}

function mostOf(names: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

function unexpected(tally: Tally): number {
  const known = [
    'ADMITTED',
    'RATE_LIMIT_EXCEEDED',
    'QUEUE_TIMEOUT',
    'IP_BLOCKED',
    'EXECUTION_TIMEOUT',
  ];
  let count = 0;
  for (const [answer, times] of tally.answers) if (!known.includes(answer)) count += times;
  return count;
}

function print(rows: readonly Row[]): void {
  const width = Math.max(...rows.map(({ what }) => what.length));
  for (const { what, figure, held } of rows) {
    const verdict = held === undefined ? '' : held ? 'ok' : 'FAILED';
    console.log(`  ${what.padEnd(width)}  ${figure.padStart(14)}  ${verdict}`);
  }
}
