import { optionProblem } from '@frontmcp/guard-core';

import { assertTimeoutMs } from './assert-timeout-ms.js';
import { Deadline } from './deadline.js';
import { ExecutionTimeoutError } from './execution-timeout-error.js';

/** What {@link withTimeout} takes beside its positional arguments. */
export interface WithTimeoutOptions {
  /** Aborts the call from outside: it rejects at once with this signal's reason. May live as long as the process. */
  readonly signal?: AbortSignal | undefined;
}

const OPTIONS: readonly (keyof WithTimeoutOptions)[] = ['signal'];

/**
 * Runs a function with a deadline and settles as it does, or rejects when time runs out first.
 *
 * `fn` gets an `AbortSignal` of its own. It is aborted by the deadline, with the very error that the call rejects with, or by
 * `options.signal`, with that signal's reason. `fn` keeps running unless it listens; what it returns or throws after that is
 * dropped and never becomes an unhandled rejection. Once `fn` has settled its signal is aborted no more.
 *
 * Edges: a synchronous throw of `fn` rejects like an asynchronous one. `options.signal` already aborted rejects without running
 * `fn`. When the event loop was blocked past the deadline, whichever is observed first wins: a result that is there before the
 * timer gets its turn is returned, late as it is, not thrown away. Nested calls that pass the outer signal on end with the
 * shorter deadline and the outer error. No timer and no listener is left when the call settles; until then its timer keeps the
 * process alive.
 *
 * @param ms The deadline in milliseconds from now on the monotonic clock, never early. `Infinity` sets none; over 2³¹ − 1 is
 * waited for in full; fractions count.
 * @param name What runs, for the error message.
 * @throws ExecutionTimeoutError (rejection) when the deadline passes before `fn` settles, and only then.
 * @throws TypeError (rejection) when `ms` is not a number, and for an unknown option, before `fn` runs.
 * @throws RangeError (rejection) when `ms` is zero, negative or NaN, before `fn` runs.
 */
export function withTimeout<T>(
  fn: (signal: AbortSignal) => T | PromiseLike<T>,
  ms: number,
  name: string,
  options?: WithTimeoutOptions,
): Promise<T> {
  return new Promise((resolve, reject) => {
    assertTimeoutMs(ms, name);
    const problem = options && optionProblem(options, OPTIONS, 'withTimeout');
    if (problem !== undefined) throw problem;
    const outer = options?.signal;
    if (outer?.aborted) {
      reject(outer.reason);
      return;
    }

    const controller = new AbortController();
    const onOuterAbort = outer && (() => stop(outer.reason));
    if (onOuterAbort) outer.addEventListener('abort', onOuterAbort);
    const deadline = new Deadline(ms, () => stop(new ExecutionTimeoutError(name, ms)));

    function cleanUp(): void {
      deadline.cancel();
      if (onOuterAbort) outer.removeEventListener('abort', onOuterAbort);
    }
    function stop(reason: unknown): void {
      cleanUp();
      reject(reason);
      controller.abort(reason);
    }
    function fail(error: unknown): void {
      cleanUp();
      reject(error);
    }

    try {
      Promise.resolve(fn(controller.signal)).then((value) => {
        cleanUp();
        resolve(value);
      }, fail);
    } catch (error) {
      fail(error);
    }
  });
}
