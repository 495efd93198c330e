import { Gauge } from './gauge.ts';
import { exportSlots, perIp, searchPerUser } from './limits.ts';
import { report } from './report.ts';
import { Tally } from './tally.ts';

/** A run in which everything held, and what a test makes of it. */
function run(
  change: (tally: Tally, gauge: Gauge) => void = () => undefined,
  admittedByProcess?: readonly number[],
): boolean {
  const tally = new Tally();
  const gauge = new Gauge(exportSlots.maxConcurrent);
  const refusals = ['RATE_LIMIT_EXCEEDED global', 'RATE_LIMIT_EXCEEDED /search', 'QUEUE_TIMEOUT'];
  for (const code of ['ADMITTED', ...refusals, 'IP_BLOCKED', 'EXECUTION_TIMEOUT']) tally.add(code);
  gauge.overruns = 1;
  gauge.highest = exportSlots.maxConcurrent;
  tally.obeyed = 3;
  tally.obeyedAndAdmitted = 3;
  change(tally, gauge);
  return report(tally, gauge, {
    startedAtMs: 10_000,
    endedAtMs: 15_999,
    ...(admittedByProcess && { admittedByProcess }),
  });
}

function start(gauge: Gauge, count: number, route: string): void {
  for (let call = 0; call < count; call++) gauge.start({ route, user: 'u', ip: 'i' });
}

/** One more begins while every slot's work is inside. */
function overfill(gauge: Gauge): void {
  for (let work = 0; work <= exportSlots.maxConcurrent; work++) gauge.enter();
  gauge.highest = exportSlots.maxConcurrent;
}

describe('the report of the main job', () => {
  beforeEach(() => {
    jest.spyOn(console, 'log').mockReturnValue();
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test('says that every limit held', () => {
    expect(run()).toBe(true);
  });

  test('wants each of several processes to have had its share', () => {
    expect(run(undefined, [3, 2])).toBe(true);
    expect(run(undefined, [5, 0])).toBe(false);
  });

  test.each<[string, (tally: Tally, gauge: Gauge) => void]>([
    ['one too many inside', (_, gauge) => (gauge.highest = exportSlots.maxConcurrent + 1)],
    ['nobody inside', (_, gauge) => (gauge.highest = 0)],
    [
      'a user over the limit',
      (_, gauge) => start(gauge, searchPerUser.maxRequests * 3 + 1, '/search'),
    ],
    ['an address over the limit', (_, gauge) => start(gauge, perIp.maxRequests * 3 + 1, '/export')],
    ['a timeout whose work was stopped', (_, gauge) => (gauge.overruns = 0)],
    ['a slot freed while its work ran', (_, gauge) => overfill(gauge)],
    ['an obeyed retry-after that was refused', (tally) => (tally.obeyedAndAdmitted = 2)],
    ['nobody who obeyed', (tally) => (tally.obeyed = tally.obeyedAndAdmitted = 0)],
    ['an answer nobody expects', (tally) => tally.add('INTERNAL')],
    ['a guard that never refused', (tally) => tally.answers.delete('RATE_LIMIT_EXCEEDED global')],
  ])('fails on %s', (_what, change) => {
    expect(run(change)).toBe(false);
  });
});
