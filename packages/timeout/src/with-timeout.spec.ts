import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { errorHelp } from '@frontmcp/guard-core';
import { ExecutionTimeoutError } from './execution-timeout-error.js';
import { withTimeout } from './with-timeout.js';

const never = (): Promise<never> => new Promise(() => undefined);
const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

/** Settles as `promise` does and says how, so that a rejection is looked at without being thrown. */
const outcome = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value: unknown) => ({ resolved: value }),
    (error: unknown) => error,
  );

/** `settle()` ends the promise from outside, `signal` is what `fn` was called with. */
function controlled<T>() {
  const { promise, resolve, reject } = withResolvers<T>();
  const seen: AbortSignal[] = [];
  const fn = jest.fn((signal: AbortSignal) => {
    seen.push(signal);
    return promise;
  });
  return {
    fn,
    resolve,
    reject,
    get signal(): AbortSignal {
      if (seen[0] === undefined) throw new Error('fn did not run');
      return seen[0];
    },
  };
}

function withResolvers<T>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((res, rej) => {
    resolve = res;
    reject = rej;
  });
  return { promise, resolve, reject };
}

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
});

afterEach(async () => {
  await turn();
  expect(jest.getTimerCount()).toBe(0);
  jest.restoreAllMocks();
  jest.useRealTimers();
});

describe('fn settles in time', () => {
  test('[TO-01] resolves with what an async function returns, and leaves no timer', async () => {
    const work = controlled<string>();
    const call = withTimeout(work.fn, 1_000, 'work');
    expect(jest.getTimerCount()).toBe(1);
    await jest.advanceTimersByTimeAsync(999);
    work.resolve('done');
    await expect(call).resolves.toBe('done');
    expect(work.fn).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('resolves with what a plain function returns, thenables included', async () => {
    const thenable: PromiseLike<number> = { then: (onDone) => Promise.resolve(7).then(onDone) };
    await expect(withTimeout(() => 42, 1_000, 'plain')).resolves.toBe(42);
    await expect(withTimeout(() => undefined, 1_000, 'plain')).resolves.toBeUndefined();
    await expect(withTimeout(() => thenable, 1_000, 'thenable')).resolves.toBe(7);
  });

  test('rejects with the very error of fn', async () => {
    const work = controlled<never>();
    const call = outcome(withTimeout(work.fn, 1_000, 'work'));
    const error = new Error('broken');
    work.reject(error);
    expect(await call).toBe(error);
    expect(work.signal.aborted).toBe(false);
  });

  test('S-54: a synchronous throw rejects with what was thrown, whatever it is', async () => {
    const parent = new AbortController();
    for (const thrown of [new Error('sync'), undefined, null, 'text'] as unknown[]) {
      const fn = () => {
        throw thrown;
      };
      const call = withTimeout(fn, 1_000, 'sync', { signal: parent.signal });
      expect(jest.getTimerCount()).toBe(0);
      expect(listeners(parent.signal)).toBe(0);
      await expect(call).rejects.toBe(thrown);
    }
  });

  test('a thenable whose then throws rejects', async () => {
    const error = new Error('then');
    const broken = {
      get then(): never {
        throw error;
      },
    };
    await expect(withTimeout(() => broken, 1_000, 'broken')).rejects.toBe(error);
  });

  test('the signal is not aborted when fn settles, nor by a deadline or an abort after it', async () => {
    const parent = new AbortController();
    const work = controlled<string>();
    const call = withTimeout(work.fn, 1_000, 'work', { signal: parent.signal });
    work.resolve('done');
    await call;
    await jest.advanceTimersByTimeAsync(5_000);
    parent.abort();
    expect(work.signal.aborted).toBe(false);
  });

  test('every call has a signal of its own', async () => {
    const seen: AbortSignal[] = [];
    const parent = new AbortController();
    const fn = (signal: AbortSignal) => seen.push(signal);
    await withTimeout(fn, 1_000, 'one', { signal: parent.signal });
    await withTimeout(fn, 1_000, 'two', { signal: parent.signal });
    expect(new Set([...seen, parent.signal]).size).toBe(3);
  });

  test('fn runs within the call, before withTimeout returns', () => {
    const fn = jest.fn(() => 1);
    void withTimeout(fn, 1_000, 'now').then();
    expect(fn).toHaveBeenCalledTimes(1);
  });
});

describe('time runs out', () => {
  test('[TO-03] [TO-05] [TO-06] [TO-10] [TO-11] rejects with an ExecutionTimeoutError after ms, not before', async () => {
    const settled = jest.fn();
    const call = outcome(withTimeout(never, 5_000, 'slow-op'));
    void call.then(settled);
    await jest.advanceTimersByTimeAsync(4_999);
    expect(settled).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    const error = (await call) as ExecutionTimeoutError;
    expect(error).toBeInstanceOf(ExecutionTimeoutError);
    expect(error.code).toBe('EXECUTION_TIMEOUT');
    expect(error.timeoutMs).toBe(5_000);
    expect(error.operation).toBe('slow-op');
    expect(error.message).toBe(
      `Execution of "slow-op" timed out after 5000 ms (see ${errorHelp('EXECUTION_TIMEOUT')})`,
    );
  });

  test('[TO-02] S-61: aborts the signal with the same error that the call rejects with', async () => {
    const work = controlled<never>();
    const call = outcome(withTimeout(work.fn, 100, 'work'));
    await jest.advanceTimersByTimeAsync(99);
    expect(work.signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(work.signal.aborted).toBe(true);
    expect(work.signal.reason).toBe(await call);
    expect(work.signal.reason).toBeInstanceOf(ExecutionTimeoutError);
  });

  test('[TO-04] S-62: fn keeps running unless it listens, and can end when it does', async () => {
    const deaf = { ended: false };
    const work = withResolvers<undefined>();
    const call = outcome(
      withTimeout(
        async () => {
          await work.promise;
          deaf.ended = true;
        },
        100,
        'deaf',
      ),
    );
    const stopped = jest.fn();
    const attentive = outcome(
      withTimeout(
        (signal) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => {
              stopped();
              reject(signal.reason as Error);
            });
          }),
        100,
        'attentive',
      ),
    );
    await jest.advanceTimersByTimeAsync(100);
    expect(await call).toBeInstanceOf(ExecutionTimeoutError);
    expect(await attentive).toBeInstanceOf(ExecutionTimeoutError);
    expect(stopped).toHaveBeenCalledTimes(1);
    expect(deaf.ended).toBe(false);
    work.resolve(undefined);
    await turn();
    expect(deaf.ended).toBe(true);
  });

  test('an error that fn makes of the abort does not take the place of ours', async () => {
    const call = outcome(
      withTimeout(
        (signal) =>
          new Promise((resolve, reject) => {
            signal.addEventListener('abort', () => {
              resolve('partial result');
              reject(new Error('mine'));
            });
          }),
        100,
        'work',
      ),
    );
    await jest.advanceTimersByTimeAsync(100);
    expect(await call).toBeInstanceOf(ExecutionTimeoutError);
  });

  test('nested calls that pass the signal on end with the shorter deadline and its error', async () => {
    const inner = controlled<never>();
    const innerResult = withResolvers<unknown>();
    const call = outcome(
      withTimeout(
        (signal) => {
          const nested = withTimeout(inner.fn, 10_000, 'inner', { signal });
          innerResult.resolve(outcome(nested));
          return nested;
        },
        100,
        'outer',
      ),
    );
    await jest.advanceTimersByTimeAsync(100);
    const error = (await call) as ExecutionTimeoutError;
    expect(error.operation).toBe('outer');
    expect(await innerResult.promise).toBe(error);
    expect(inner.signal.reason).toBe(error);
  });

  test('the error is made when time runs out, not for a call that ends in time', async () => {
    const { DOMException } = globalThis;
    const cause = jest
      .spyOn(globalThis, 'DOMException')
      .mockImplementation((message, name) => new DOMException(message, name));
    await withTimeout(() => 1, 1_000, 'fast');
    expect(cause).not.toHaveBeenCalled();
    const call = outcome(withTimeout(never, 1_000, 'slow'));
    await jest.advanceTimersByTimeAsync(1_000);
    await call;
    expect(cause).toHaveBeenCalledTimes(1);
  });
});

describe('the caller aborts', () => {
  test.each([
    ['an error', new Error('gone')],
    ['a string', 'gone'],
    ['null', null],
  ])(
    'S-61: rejects at once with the reason of the caller, %s, and hands it to fn',
    async (_, reason) => {
      const parent = new AbortController();
      const work = controlled<never>();
      const call = outcome(withTimeout(work.fn, 1_000, 'work', { signal: parent.signal }));
      expect(listeners(parent.signal)).toBe(1);
      parent.abort(reason);
      expect(work.signal.aborted).toBe(true);
      expect(work.signal.reason).toBe(reason);
      expect(listeners(parent.signal)).toBe(0);
      expect(jest.getTimerCount()).toBe(0);
      expect(await call).toBe(reason);
    },
  );

  test('without a reason it is the AbortError of the platform', async () => {
    const parent = new AbortController();
    const work = controlled<never>();
    const call = outcome(withTimeout(work.fn, 1_000, 'work', { signal: parent.signal }));
    parent.abort();
    expect(await call).toBe(parent.signal.reason);
    expect(work.signal.reason).toBe(parent.signal.reason);
    expect((await call) as DOMException).toHaveProperty('name', 'AbortError');
  });

  test('aborted before the call: rejects with the reason without running fn or starting a timer', async () => {
    const fn = jest.fn();
    const reason = new Error('gone');
    const signal = AbortSignal.abort(reason);
    const call = outcome(withTimeout(fn, 1_000, 'work', { signal }));
    expect(jest.getTimerCount()).toBe(0);
    expect(await call).toBe(reason);
    expect(fn).not.toHaveBeenCalled();
    expect(listeners(signal)).toBe(0);
  });

  test('aborted by fn itself while it starts', async () => {
    const parent = new AbortController();
    const reason = new Error('self');
    const abortAnd = (then: () => unknown) =>
      outcome(
        withTimeout(
          () => {
            parent.abort(reason);
            return then();
          },
          1_000,
          'work',
          { signal: parent.signal },
        ),
      );
    expect(await abortAnd(() => 'value')).toBe(reason);
    const later = new AbortController();
    const call = outcome(
      withTimeout(
        () => {
          later.abort(reason);
          throw new Error('also thrown');
        },
        1_000,
        'work',
        { signal: later.signal },
      ),
    );
    expect(jest.getTimerCount()).toBe(0);
    expect(await call).toBe(reason);
  });

  test('the first of deadline and abort decides, the second changes nothing', async () => {
    const parent = new AbortController();
    const first = controlled<never>();
    const byDeadline = outcome(withTimeout(first.fn, 100, 'first', { signal: parent.signal }));
    await jest.advanceTimersByTimeAsync(100);
    parent.abort('late');
    expect(await byDeadline).toBeInstanceOf(ExecutionTimeoutError);
    expect(first.signal.reason).toBe(await byDeadline);

    const other = new AbortController();
    const second = controlled<never>();
    const byAbort = outcome(withTimeout(second.fn, 100, 'second', { signal: other.signal }));
    other.abort('early');
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await byAbort).toBe('early');
    expect(second.signal.reason).toBe('early');
  });

  test('a signal that is undefined is no signal', async () => {
    await expect(withTimeout(() => 1, 1_000, 'work', { signal: undefined })).resolves.toBe(1);
    await expect(withTimeout(() => 1, 1_000, 'work', {})).resolves.toBe(1);
  });
});

test('an option that nobody reads is an error, before fn runs', async () => {
  const fn = jest.fn();
  await expect(withTimeout(fn, 10, 'x', { sinal: 1 } as never)).rejects.toThrow(
    new TypeError('Unknown option "sinal" of withTimeout, which takes signal'),
  );
  expect(fn).not.toHaveBeenCalled();
});

describe('what ms may be', () => {
  test.each([
    [NaN, RangeError, 'got NaN'],
    [0, RangeError, 'got 0'],
    [-0, RangeError, 'got 0'],
    [-1, RangeError, 'got -1'],
    [-Infinity, RangeError, 'got -Infinity'],
    ['100', TypeError, 'got the string "100"'],
    [undefined, TypeError, 'got undefined'],
    [null, TypeError, 'got null'],
    [100n, TypeError, 'got the bigint 100'],
    [true, TypeError, 'got the boolean true'],
    [Symbol('ms'), TypeError, 'got the symbol Symbol(ms)'],
    [Object.create(null), TypeError, 'got a value of type object'],
    [() => 100, TypeError, 'got a value of type function'],
  ])('S-53: %p is refused before fn runs', async (ms, kind, got) => {
    const fn = jest.fn();
    const parent = new AbortController();
    const error = await outcome(withTimeout(fn, ms as number, 'work', { signal: parent.signal }));
    expect(error).toBeInstanceOf(kind);
    expect((error as Error).message).toBe(
      `Cannot run "work" with a deadline: ms must be a positive number, ${got}`,
    );
    expect(fn).not.toHaveBeenCalled();
    expect(listeners(parent.signal)).toBe(0);
  });

  test('a bad ms is told even when the caller has aborted', async () => {
    const call = withTimeout(() => 1, NaN, 'work', { signal: AbortSignal.abort('gone') });
    await expect(call).rejects.toBeInstanceOf(RangeError);
  });

  test('S-53: Infinity sets no timer; the caller can still abort', async () => {
    const parent = new AbortController();
    const work = controlled<string>();
    const call = withTimeout(work.fn, Infinity, 'work', { signal: parent.signal });
    expect(jest.getTimerCount()).toBe(0);
    work.resolve('done');
    await expect(call).resolves.toBe('done');

    const aborted = outcome(withTimeout(never, Infinity, 'work', { signal: parent.signal }));
    parent.abort('stop');
    expect(await aborted).toBe('stop');
  });

  test('S-53: a fraction is waited for in full', async () => {
    const call = outcome(withTimeout(never, 0.5, 'work'));
    await jest.advanceTimersByTimeAsync(1);
    expect(await call).toHaveProperty('timeoutMs', 0.5);
  });

  test('S-52: over 2^31-1 ms does not fire at once', async () => {
    const settled = jest.fn();
    const work = controlled<string>();
    const call = withTimeout(work.fn, 2 ** 31, 'month');
    void call.then(settled);
    await jest.advanceTimersByTimeAsync(2 ** 31 - 1);
    expect(settled).not.toHaveBeenCalled();
    expect(work.signal.aborted).toBe(false);
    work.resolve('done');
    await expect(call).resolves.toBe('done');
  });

  test('S-52: over 2^31-1 ms does fire in the end', async () => {
    const call = outcome(withTimeout(never, 2 ** 31, 'month'));
    await jest.advanceTimersByTimeAsync(2 ** 31);
    expect(await call).toHaveProperty('timeoutMs', 2 ** 31);
  });

  test('an fn that is no function, a signal that is none: a TypeError, and nothing is left', async () => {
    const call = outcome(withTimeout(undefined as never, 1_000, 'work'));
    expect(jest.getTimerCount()).toBe(0);
    expect(await call).toBeInstanceOf(TypeError);
    const fn = jest.fn();
    const other = outcome(
      withTimeout(fn, 1_000, 'work', { signal: new AbortController() as never }),
    );
    expect(jest.getTimerCount()).toBe(0);
    expect(await other).toBeInstanceOf(TypeError);
    expect(fn).not.toHaveBeenCalled();
  });
});

// Jest fails a test that leaves a rejection unhandled; test/process.spec.ts looks at it from outside.
describe('late results', () => {
  test('S-55: fn rejects after the deadline: dropped, never unhandled', async () => {
    const work = controlled<never>();
    const call = outcome(withTimeout(work.fn, 100, 'work'));
    await jest.advanceTimersByTimeAsync(100);
    expect(await call).toBeInstanceOf(ExecutionTimeoutError);
    work.reject(new Error('late'));
    await turn();
  });

  test('S-55: fn rejects after the caller aborted, or because of it: dropped, never unhandled', async () => {
    const parent = new AbortController();
    const work = controlled<never>();
    const call = outcome(withTimeout(work.fn, 100, 'work', { signal: parent.signal }));
    const attentive = outcome(
      withTimeout(
        (signal) =>
          new Promise((_, reject) =>
            signal.addEventListener('abort', () => reject(new Error('mine'))),
          ),
        100,
        'attentive',
        { signal: parent.signal },
      ),
    );
    parent.abort('gone');
    work.reject(new Error('late'));
    expect(await call).toBe('gone');
    expect(await attentive).toBe('gone');
    await turn();
  });

  test('S-55: fn aborts the caller and returns a rejected promise: dropped, never unhandled', async () => {
    const parent = new AbortController();
    const call = outcome(
      withTimeout(
        () => {
          parent.abort('gone');
          return Promise.reject(new Error('also'));
        },
        100,
        'work',
        { signal: parent.signal },
      ),
    );
    expect(await call).toBe('gone');
    await turn();
  });

  test('fn resolves after the deadline: dropped', async () => {
    const work = controlled<string>();
    const call = outcome(withTimeout(work.fn, 100, 'work'));
    await jest.advanceTimersByTimeAsync(100);
    work.resolve('late');
    expect(await call).toBeInstanceOf(ExecutionTimeoutError);
  });
});

describe('nothing is left on a signal that lives long', () => {
  test('S-58: 10,000 calls one after another, in every way a call can end', async () => {
    const parent = new AbortController();
    const options = { signal: parent.signal };
    const add = jest.spyOn(parent.signal, 'addEventListener');
    let most = 0;
    for (let i = 0; i < 10_000; i++) {
      const ends = [
        () => i,
        () => Promise.resolve(i),
        () => Promise.reject(new Error('no')),
        () => {
          throw new Error('sync');
        },
      ];
      await outcome(withTimeout(ends[i % ends.length] ?? never, 1_000, 'call', options));
      most = Math.max(most, listeners(parent.signal));
    }
    expect(add).toHaveBeenCalledTimes(10_000);
    expect(most).toBe(0);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('S-58: 2,000 calls at once, half of them timed out', async () => {
    const parent = new AbortController();
    const work = controlled<string>();
    const calls = Array.from({ length: 2_000 }, (_, i) =>
      outcome(withTimeout(i % 2 ? work.fn : never, 100, 'call', { signal: parent.signal })),
    );
    expect(listeners(parent.signal)).toBe(2_000);
    expect(jest.getTimerCount()).toBe(2_000);
    work.resolve('done');
    await turn();
    expect(listeners(parent.signal)).toBe(1_000);
    await jest.advanceTimersByTimeAsync(100);
    await Promise.all(calls);
    expect(listeners(parent.signal)).toBe(0);
  });

  test('S-59: the signal of the caller is not tied to another one', async () => {
    const any = jest.spyOn(AbortSignal, 'any');
    const timeout = jest.spyOn(AbortSignal, 'timeout');
    const race = jest.spyOn(Promise, 'race');
    await withTimeout(() => 1, 1_000, 'work', { signal: new AbortController().signal });
    for (const spy of [any, timeout, race]) expect(spy).not.toHaveBeenCalled();
  });
});

describe('on real timers', () => {
  const activeTimers = () =>
    process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const block = (ms: number): void => {
    const end = performance.now() + ms;
    while (performance.now() < end);
  };

  beforeEach(() => {
    jest.useRealTimers();
  });
  afterEach(() => {
    jest.useFakeTimers();
  });

  test('S-56: the timer holds the process while fn runs and is gone as soon as it settles', async () => {
    const before = activeTimers();
    const work = controlled<string>();
    const call = withTimeout(work.fn, 60_000, 'work');
    expect(activeTimers()).toBe(before + 1);
    work.resolve('done');
    await call;
    expect(activeTimers()).toBe(before);
  });

  test('times out by the real clock, not early', async () => {
    const startMs = performance.now();
    await expect(withTimeout(never, 5, 'work')).rejects.toBeInstanceOf(ExecutionTimeoutError);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(5);
  });

  test('a result that is there before the timer gets its turn wins, late as it is', async () => {
    const blocking = withTimeout(
      async () => {
        block(20);
        await Promise.resolve();
        return 'late';
      },
      5,
      'blocking',
    );
    await expect(blocking).resolves.toBe('late');
  });

  test('a result that needs another turn of the blocked event loop loses', async () => {
    const blocking = withTimeout(
      async () => {
        await turn();
        block(20);
        await turn();
        return 'too late';
      },
      5,
      'blocking',
    );
    await expect(blocking).rejects.toBeInstanceOf(ExecutionTimeoutError);
  });
});
