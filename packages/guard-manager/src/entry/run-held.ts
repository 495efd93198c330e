import type { GuardLogger } from '@frontmcp/guard-core';

import type { HeldPermit } from './guard-permit.js';

/** How work is run on a permit. */
export interface RunHeldOptions {
  readonly entity: string;
  /** How long after its end the call's slots wait for work that goes on all the same. */
  readonly maxOverrunMs: number;
  readonly releaseOnTimeout: boolean;
  readonly logger: GuardLogger | undefined;
  /** Takes the call back, its rates too: for one that ends before its work has begun. */
  readonly takeBack: () => Promise<void>;
}

const MAX_TIMER_MS = 2 ** 31 - 1;

/** How long slots are held for work that outlives its call, where nobody says: five minutes, in ms. */
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
 * Runs `work` with a signal and holds the permit until the work settles: work that does not listen to its signal still takes up
 * what the slots protect. Settles as the work does, or rejects as soon as the signal aborts, with its reason. The permit is
 * released before the call settles, unless the work overruns.
 */
export function runHeld<T>(
  permit: HeldPermit,
  work: (signal: AbortSignal) => T | PromiseLike<T>,
  options: RunHeldOptions,
): Promise<T> {
  return new Promise((resolve, reject) => {
    new HeldRun(permit, options, resolve, reject).start(work);
  });
}

/** One call, from its admission on. */
class HeldRun<T> {
  readonly #permit: HeldPermit;
  readonly #options: RunHeldOptions;
  readonly #resolve: (value: T) => void;
  readonly #reject: (reason: unknown) => void;
  #phase: 'admitted' | 'starting' | 'working' | 'over' = 'admitted';
  #working: Promise<T> | undefined = undefined;
  /** Rejects the call with what its signal aborted with while the work was starting. */
  #early: (() => void) | undefined = undefined;

  constructor(
    permit: HeldPermit,
    options: RunHeldOptions,
    resolve: (value: T) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#permit = permit;
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  start(work: (signal: AbortSignal) => T | PromiseLike<T>): void {
    const signal = this.#permit.watch((reason) => this.#abort(reason));
    if (signal.aborted) return;
    this.#phase = 'starting';
    try {
      this.#working = Promise.resolve(work(signal));
    } catch (error) {
      this.#end(this.#early ?? (() => this.#reject(error)));
      return;
    }
    this.#phase = 'working';
    this.#working.then(
      (value) => this.#end(() => this.#resolve(value)),
      (error: unknown) => this.#end(() => this.#reject(error)),
    );
    if (this.#early !== undefined) this.#overrun(this.#early);
  }

  #abort(reason: unknown): void {
    const reject = (): void => this.#reject(reason);
    if (this.#phase === 'starting') this.#early = reject;
    else if (this.#phase === 'working') this.#overrun(reject);
    else if (this.#phase === 'admitted') {
      this.#phase = 'over';
      void this.#options.takeBack().then(reject);
    }
  }

  /** The work has settled. */
  #end(settle: () => void): void {
    if (this.#phase === 'over') return;
    this.#phase = 'over';
    const released = this.#permit.release();
    if (this.#permit.isHolding) void released.then(settle);
    else settle();
  }

  /** The call ends before its work. */
  #overrun(settle: () => void): void {
    const { releaseOnTimeout } = this.#options;
    const mustWait = this.#permit.isHolding && !releaseOnTimeout;
    if (!mustWait || this.#working === undefined) this.#end(settle);
    else {
      this.#phase = 'over';
      void releaseAfter(this.#working, this.#permit, this.#options);
      settle();
    }
  }
}

async function releaseAfter(
  work: Promise<unknown>,
  permit: HeldPermit,
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
