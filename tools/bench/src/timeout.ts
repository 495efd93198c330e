import { collectGarbage } from './collect-garbage.ts';
import { figuresOf, goal, ratioOf, type Findings, type Goal, type Pace } from './findings.ts';
import { compare, repeat, type Contender } from './harness.ts';

const MS = 5_000;
const HEAP_CALLS = 1_000_000;
const FLOOR = 'hand-written with a signal';
const OURS = '@frontmcp/guard-timeout';

/** Times the deadline around a function that has resolved already, alone and under a signal that lives long; and the heap. */
export async function benchTimeout(pace: Pace): Promise<Findings> {
  const { signal } = new AbortController();
  const alone = await compare(
    {
      id: 'alone',
      title: 'a deadline',
      expected: 1,
      floor: FLOOR,
      contenders: { 'bare await': () => ({ loop: repeat(() => work()) }), ...contenders() },
    },
    pace,
  );
  const underSignal = await compare(
    {
      id: 'under-signal',
      title: "a deadline and the caller's long-lived signal",
      expected: 1,
      floor: FLOOR,
      contenders: contenders(signal),
    },
    pace,
  );
  const groups = [alone, underSignal];
  const cost = goal({
    id: 'timeout-cost',
    text: 'A deadline costs at most 1.4 × the hand-written one with a signal',
    bound: { atMost: 1.4 },
    unit: '×',
    figures: figuresOf(groups, (group) => ratioOf(group, OURS, FLOOR)),
  });
  return { groups, goals: [cost, await heapGoal(contenders(signal)[OURS], pace)] };
}

function work(): Promise<number> {
  return Promise.resolve(1);
}

function contenders(signal?: AbortSignal) {
  return {
    [FLOOR]: (): Contender => ({ loop: repeat(() => handWritten(work, MS, signal)) }),
    [OURS]: async (): Promise<Contender> => {
      const { withTimeout } = await import('@frontmcp/guard-timeout');
      const options = signal && { signal };
      return { loop: repeat(() => withTimeout(work, MS, 'work', options)) };
    },
    'cockatiel (cooperative)': async (): Promise<Contender> => {
      const { timeout, TimeoutStrategy } = await import('cockatiel');
      const policy = timeout(MS, TimeoutStrategy.Cooperative);
      return { loop: repeat(() => policy.execute(work, signal)) };
    },
    'p-timeout': async (): Promise<Contender> => {
      const { default: pTimeout } = await import('p-timeout');
      const options = signal ? { milliseconds: MS, signal } : { milliseconds: MS };
      return { loop: repeat(() => pTimeout(work(), options)) };
    },
  };
}

/** The least code that gives a function a signal and a deadline; no checks, no synchronous throws, no long deadlines. */
function handWritten<T>(
  fn: (signal: AbortSignal) => Promise<T>,
  ms: number,
  outer: AbortSignal | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const stop = (reason: Error): void => {
      done();
      controller.abort(reason);
      reject(reason);
    };
    const onAbort = outer && (() => stop(outer.reason as Error));
    if (onAbort) outer.addEventListener('abort', onAbort);
    const timer = setTimeout(() => stop(new Error('Timed out')), ms);
    const done = (): void => {
      clearTimeout(timer);
      if (onAbort) outer.removeEventListener('abort', onAbort);
    };
    fn(controller.signal).then(
      (value) => {
        done();
        resolve(value);
      },
      (error: unknown) => {
        done();
        reject(error);
      },
    );
  });
}

/** What stays on the heap after many calls under one signal that lives on. */
async function heapGoal(make: () => Promise<Contender>, pace: Pace): Promise<Goal> {
  const { loop } = await make();
  const calls = Math.round((HEAP_CALLS * pace.sliceMs) / 20);
  await loop(0, 10_000);
  const before = heapBytes();
  await loop(0, calls);
  const grown = heapBytes() - before;
  return goal({
    id: 'timeout-heap',
    text: 'The heap is flat over a million calls under one signal: less than a byte a call',
    bound: { atMost: 1 },
    unit: 'B a call',
    figures: { 'a call': Math.max(0, Number((grown / calls).toFixed(3))) },
  });
}

function heapBytes(): number {
  collectGarbage('major');
  return process.memoryUsage().heapUsed;
}
