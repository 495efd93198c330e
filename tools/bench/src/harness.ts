import { isDeepStrictEqual } from 'node:util';
import { collectGarbage } from './collect-garbage.ts';
import type { GroupResult, Pace } from './findings.ts';
import { printGroup } from './print.ts';
import { costRows, speedRows, type Series } from './statistics.ts';

/** Does the work `count` times, each awaited, and says what came of the last. `from` counts the calls made before. */
export type Loop = (from: number, count: number) => Promise<unknown>;

/** One way to do the work of a {@link Group}, ready to be timed. */
export interface Contender {
  readonly loop: Loop;
  /** What the result of the work says, in the words that the group expects. */
  readonly answer?: (result: never) => unknown;
  /** Gives back what the contender holds, so that the process can end. */
  readonly close?: () => unknown;
}

export interface Group {
  /** Unique in its part. */
  readonly id: string;
  readonly title: string;
  /** What every contender must answer before any of them is timed. */
  readonly expected: unknown;
  /** The contender that the others are divided by. */
  readonly floor: string;
  /** What is measured: the CPU time of this process, or, for work that waits for a server, the time that goes by. `cpu` by default. */
  readonly clock?: 'cpu' | 'wall';
  /** Prints no table. */
  readonly silent?: boolean;
  /** Each is made in turn; one whose package cannot be imported is left out, with a line that says so. */
  readonly contenders: Readonly<Record<string, () => Contender | Promise<Contender>>>;
}

/** The same pace in slices long enough for a server on the other side. */
export function onTheWire({ rotations, sliceMs }: Pace): Pace {
  return { rotations, sliceMs: sliceMs * 5 };
}

const WARM_UP_NS = 2e8;

interface Runner extends Series {
  readonly loop: Loop;
  readonly close: () => unknown;
  count: number;
  done: number;
  readonly nsPerCall: number[];
  readonly cpuNsPerCall: number[];
}

/**
 * Times the contenders of a group against each other in this process, prints the result and returns it.
 *
 * They take turns in slices of about `sliceMs`, in a new random order in every rotation, each slice after a minor
 * garbage collection. A figure is the CPU time of the process per call, its garbage collection threads included, or the
 * time that went by, as the group says: the median over all rotations, with the 10th and 90th percentile. A ratio is the
 * median of the ratios to the floor within one rotation, so that a change in the speed of the machine cancels out.
 *
 * @throws {Error} When a contender does not give the expected answer; none has been timed then.
 */
export async function compare(group: Group, pace: Pace): Promise<GroupResult> {
  const runners: Runner[] = [];
  for (const [name, make] of Object.entries(group.contenders)) {
    const contender = await makeUnlessMissing(name, make);
    if (contender === undefined) continue;
    await assertAnswer(group, name, contender);
    const { loop, close = () => undefined } = contender;
    runners.push({ name, loop, close, count: 1, done: 1, nsPerCall: [], cpuNsPerCall: [] });
  }
  const floor = runners.find(({ name }) => name === group.floor);
  if (floor === undefined) throw new Error(`${group.title}: no ${group.floor} to compare with`);
  const { clock = 'cpu' } = group;
  for (const runner of runners) await warmUp(runner, pace.sliceMs, clock);
  for (let rotation = 0; rotation < pace.rotations; rotation++) {
    for (const runner of shuffled(runners)) {
      const spent = await slice(runner);
      runner.nsPerCall.push(spent[clock]);
      runner.cpuNsPerCall.push(spent.cpu);
    }
  }
  for (const { close } of runners) await close();
  const rows = clock === 'cpu' ? costRows(floor, runners) : speedRows(floor, runners);
  const ratio = clock === 'cpu' ? '× floor' : 'speed ÷ floor';
  const unit = clock === 'cpu' ? 'CPU ns' : 'µs';
  const result = { id: group.id, title: group.title, unit, ratio, rows };
  return group.silent === true ? result : printGroup(result);
}

/** Of a package that is not there, or whose native part has not been built for this Node. */
const MISSING: readonly unknown[] = [
  'ERR_MODULE_NOT_FOUND',
  'MODULE_NOT_FOUND',
  'ERR_DLOPEN_FAILED',
];

function isMissing(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && MISSING.includes(error.code);
}

/** A loop around one awaited call, compiled anew, so that no contender pays for the type feedback of another. */
export function repeat(run: (i: number) => unknown): Loop {
  const source = `return async (from, count) => {
    let result;
    for (let i = from; i < from + count; i++) result = await run(i);
    return result;
  }`;
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- a closure from one place would share its feedback
  return (new Function('run', source) as (body: (i: number) => unknown) => Loop)(run);
}

/** A loop around one call that is not awaited, with a number below `modulus`, a power of two, in turn; compiled anew as well. */
export function repeatSync(run: (i: number) => unknown, modulus: number): Loop {
  const source = `return async (from, count) => {
    let result;
    for (let i = from; i < from + count; i++) result = run(i & ${modulus - 1});
    return result;
  }`;
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- a closure from one place would share its feedback
  return (new Function('run', source) as (body: (i: number) => unknown) => Loop)(run);
}

/** The work of {@link repeat}, so many calls at once. */
export function inFlight(lanes: number, run: (i: number) => unknown): Loop {
  const lane = repeat(run);
  return async (from, count) => {
    const each = Math.ceil(count / lanes);
    const results = await Promise.all(
      Array.from({ length: lanes }, (_, at) => lane(from + at * each, each)),
    );
    return results.at(-1);
  };
}

async function makeUnlessMissing(
  name: string,
  make: () => Contender | Promise<Contender>,
): Promise<Contender | undefined> {
  try {
    return await make();
  } catch (error) {
    if (!isMissing(error)) throw error;
    console.log(`Left out ${name}: ${error.message.split('\n')[0] ?? ''}`);
    return undefined;
  }
}

async function assertAnswer(group: Group, name: string, contender: Contender): Promise<void> {
  const result = (await contender.loop(0, 1)) as never;
  const answer = contender.answer ? contender.answer(result) : result;
  if (isDeepStrictEqual(answer, group.expected)) return;
  throw new Error(
    `${group.title}: ${name} answers ${JSON.stringify(answer)}, not ${JSON.stringify(group.expected)}`,
  );
}

/** Finds the number of calls that fills a slice, and goes on until the compiler has had its time. */
async function warmUp(runner: Runner, sliceMs: number, clock: 'cpu' | 'wall'): Promise<void> {
  for (let spentNs = 0; spentNs < WARM_UP_NS;) {
    const spent = await slice(runner);
    const ns = Math.max(1, spent[clock] * runner.count);
    runner.count = Math.ceil(runner.count * Math.min(2, (sliceMs * 1e6) / ns));
    spentNs += ns;
  }
}

async function slice(runner: Runner): Promise<{ readonly cpu: number; readonly wall: number }> {
  collectGarbage('minor');
  const startedMs = performance.now();
  const started = process.cpuUsage();
  await runner.loop(runner.done, runner.count);
  const { user, system } = process.cpuUsage(started);
  const elapsedMs = performance.now() - startedMs;
  runner.done += runner.count;
  return { cpu: ((user + system) * 1000) / runner.count, wall: (elapsedMs * 1e6) / runner.count };
}

/** The items in a new random order. */
export function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((left, right) => left.at - right.at)
    .map(({ item }) => item);
}
