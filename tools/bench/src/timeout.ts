import { collectGarbage } from './collect-garbage.ts';
import { compare, repeat, type Contender, type Pace } from './harness.ts';

const MS = 5_000;
const HEAP_CALLS = 1_000_000;
const FLOOR = 'hand-written with signal';

/** Times the deadline around a function that has resolved already, alone and under a signal that lives long; and the heap. */
export async function benchTimeout(pace: Pace): Promise<void> {
  const { signal } = new AbortController();
  await compare(
    {
      title: `Timeout: a resolved function under a deadline of ${MS} ms`,
      expected: 1,
      floor: FLOOR,
      contenders: { 'bare await': () => ({ loop: repeat(() => work()) }), ...contenders() },
    },
    pace,
  );
  await compare(
    {
      title: "Timeout: the same under the caller's long-lived signal",
      expected: 1,
      floor: FLOOR,
      contenders: contenders(signal),
    },
    pace,
  );
  await reportHeap(contenders(signal)['@frontmcp/guard-timeout'], pace);
}

function work(): Promise<number> {
  return Promise.resolve(1);
}

function contenders(signal?: AbortSignal) {
  return {
    [FLOOR]: (): Contender => ({ loop: repeat(() => handWritten(work, MS, signal)) }),
    '@frontmcp/guard-timeout': async (): Promise<Contender> => {
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

async function reportHeap(make: () => Promise<Contender>, pace: Pace): Promise<void> {
  const { loop } = await make();
  const calls = Math.round((HEAP_CALLS * pace.sliceMs) / 20);
  await loop(0, 10_000);
  const before = heapBytes();
  await loop(0, calls);
  const grown = heapBytes() - before;
  console.log(`Heap kept after ${calls} calls under one signal: ${(grown / 1024).toFixed(0)} KiB`);
}

function heapBytes(): number {
  collectGarbage('major');
  return process.memoryUsage().heapUsed;
}
