import type { GuardLogger } from '@frontmcp/guard-core';
import { withTimeout } from '@frontmcp/guard-timeout';

import type { GuardPermit } from './guard-permit.js';

/** How work is run on a permit. */
export interface RunHeldOptions {
  readonly entity: string;
  readonly timeoutMs: number;
  /** How long after its end the call's slots wait for work that goes on all the same. */
  readonly maxOverrunMs: number;
  readonly releaseOnTimeout: boolean;
  readonly logger: GuardLogger | undefined;
  /** Takes the call back, its rates too: for one that ends before its work has begun. */
  readonly takeBack: () => Promise<void>;
}

const MAX_TIMER_MS = 2 ** 31 - 1;

/** How long slots are held for work that outlives its call, where nobody says. */
export const DEFAULT_MAX_OVERRUN_MS = 300_000;

/**
 * Throws unless work may overrun that long.
 *
 * @throws RangeError unless from 0 to 2^31 − 1, or Infinity.
 */
export function assertMaxOverrunMs(maxOverrunMs: number): void {
  const isInRange = maxOverrunMs >= 0 && maxOverrunMs <= MAX_TIMER_MS;
  if (typeof maxOverrunMs === 'number' && (isInRange || maxOverrunMs === Infinity)) return;
  throw new RangeError(
    `maxOverrunMs must be from 0 to ${String(MAX_TIMER_MS)}, or Infinity, got ${String(maxOverrunMs)}`,
  );
}

/**
 * Runs `work` with a deadline and holds the permit until the work settles: work that does not listen to its signal still
 * takes up what the slots protect. The permit is released before the call settles, unless the work overruns.
 */
export async function runHeld<T>(
  permit: GuardPermit,
  work: (signal: AbortSignal) => T | PromiseLike<T>,
  options: RunHeldOptions,
): Promise<T> {
  const progress: Progress<T> = { promise: undefined, isSettled: false };
  try {
    return await withTimeout(
      (signal) => {
        progress.promise = track(work, signal, progress);
        return progress.promise;
      },
      options.timeoutMs,
      options.entity,
      { signal: permit.signal },
    );
  } finally {
    if (progress.promise === undefined) await options.takeBack();
    else if (progress.isSettled || options.releaseOnTimeout) await permit.release();
    else void releaseAfter(progress.promise, permit, options);
  }
}

/** How far the work is, whatever its call does meanwhile. */
interface Progress<T> {
  promise: Promise<T> | undefined;
  isSettled: boolean;
}

async function track<T>(
  work: (signal: AbortSignal) => T | PromiseLike<T>,
  signal: AbortSignal,
  progress: Progress<T>,
): Promise<T> {
  try {
    return await work(signal);
  } finally {
    progress.isSettled = true;
  }
}

async function releaseAfter(
  work: Promise<unknown>,
  permit: GuardPermit,
  { maxOverrunMs, entity, logger }: RunHeldOptions,
): Promise<void> {
  const overrun = Symbol('overrun');
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<typeof overrun>((resolve) => {
    if (maxOverrunMs === Infinity) return;
    timer = setTimeout(() => {
      resolve(overrun);
    }, maxOverrunMs);
    unref(timer);
  });
  const settled = work.then(
    () => undefined,
    () => undefined,
  );
  const first = await Promise.race([settled, limit]);
  clearTimeout(timer);
  if (first === overrun) {
    logger?.warn(
      `Work of "${entity}" still runs ${String(maxOverrunMs)} ms after its call ended: its slots are freed`,
    );
  }
  await permit.release();
}

function unref(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer) {
    (timer as { unref(): void }).unref();
  }
}
