import { isDeepStrictEqual } from 'node:util';
import { collectGarbage } from './collect-garbage.ts';
import { compareWith } from './statistics.ts';

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
  readonly title: string;
  /** What every contender must answer before any of them is timed. */
  readonly expected: unknown;
  /** The contender that the others are divided by. */
  readonly floor: string;
  /** Each is made in turn; one whose package cannot be imported is left out, with a line that says so. */
  readonly contenders: Readonly<Record<string, () => Contender | Promise<Contender>>>;
}

export interface Pace {
  readonly rotations: number;
  readonly sliceMs: number;
}

export const FULL: Pace = { rotations: 25, sliceMs: 20 };
export const QUICK: Pace = { rotations: 7, sliceMs: 5 };

const WARM_UP_NS = 2e8;

interface Runner {
  readonly name: string;
  readonly loop: Loop;
  readonly close: () => unknown;
  count: number;
  done: number;
  readonly nsPerCall: number[];
}

/**
 * Times the contenders of a group against each other in this process and prints a table.
 *
 * They take turns in slices of about `sliceMs`, in a new random order in every rotation, each slice after a minor
 * garbage collection. A figure is the CPU time of the process per call, its garbage collection threads included: the
 * median over all rotations, with the 10th and 90th percentile. A ratio is the median of the ratios to the floor within
 * one rotation, so that a change in the speed of the machine cancels out.
 *
 * @throws {Error} When a contender does not give the expected answer; none has been timed then.
 */
export async function compare(group: Group, pace: Pace): Promise<void> {
  const runners: Runner[] = [];
  for (const [name, make] of Object.entries(group.contenders)) {
    const contender = await makeUnlessMissing(name, make);
    if (contender === undefined) continue;
    await assertAnswer(group, name, contender);
    const { loop, close = () => undefined } = contender;
    runners.push({ name, loop, close, count: 1, done: 1, nsPerCall: [] });
  }
  const floor = runners.find(({ name }) => name === group.floor);
  if (floor === undefined) throw new Error(`${group.title}: no ${group.floor} to compare with`);
  for (const runner of runners) await warmUp(runner, pace.sliceMs);
  for (let rotation = 0; rotation < pace.rotations; rotation++) {
    for (const runner of shuffled(runners)) runner.nsPerCall.push(await slice(runner));
  }
  for (const { close } of runners) await close();
  console.log(`\n${group.title}`);
  console.table(compareWith(floor.nsPerCall, runners));
}

function isMissing(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
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

async function makeUnlessMissing(
  name: string,
  make: () => Contender | Promise<Contender>,
): Promise<Contender | undefined> {
  try {
    return await make();
  } catch (error) {
    if (!isMissing(error)) throw error;
    console.log(`Left out ${name}: ${error.message}`);
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
async function warmUp(runner: Runner, sliceMs: number): Promise<void> {
  for (let spentNs = 0; spentNs < WARM_UP_NS;) {
    const ns = Math.max(1, (await slice(runner)) * runner.count);
    runner.count = Math.ceil(runner.count * Math.min(2, (sliceMs * 1e6) / ns));
    spentNs += ns;
  }
}

async function slice(runner: Runner): Promise<number> {
  collectGarbage('minor');
  const started = process.cpuUsage();
  await runner.loop(runner.done, runner.count);
  const { user, system } = process.cpuUsage(started);
  runner.done += runner.count;
  return ((user + system) * 1000) / runner.count;
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((left, right) => left.at - right.at)
    .map(({ item }) => item);
}
