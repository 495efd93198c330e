import {
  immediateOf,
  optionProblem,
  type AtomicCall,
  type CounterStorage,
} from '@frontmcp/guard-core';

import {
  assertReceipt,
  assertRefund,
  assertWindow,
  assertWindowRequest,
} from './assert-window-request.js';
import { AtomicWindowCounter } from './atomic-window-counter.js';
import { DeniedMemo } from './denied-memo.js';
import { ImmediateWindowCounter } from './immediate-window-counter.js';
import { PlainWindowCounter } from './plain-window-counter.js';
import type { RateLimitResult } from './rate-limit-result.js';
import type { WindowRequest } from './sliding-window.js';
import type { WindowCounter } from './window-counter.js';

/** How one call is counted. */
export interface RateLimitCheckOptions {
  /** What the call costs, an integer from 0; 1 by default. A call that costs 0 looks and does not count. */
  readonly cost?: number;
}

/** How much of a call is taken back. */
export interface RateLimitRefundOptions {
  /** An integer from 0 to the cost of the call, which is the default. What is left of it stays counted. */
  readonly cost?: number;
}

/** What a limiter can be told. */
export interface SlidingWindowRateLimiterOptions {
  /**
   * Whether the denial of a key may be answered in the process for up to a second, true by default; meanwhile what other
   * processes refund or reset is not seen here. Ten thousand keys at most. Off on a store that is in the process anyway.
   */
  readonly rememberDenied?: boolean;
}

const OPTIONS: readonly (keyof SlidingWindowRateLimiterOptions)[] = ['rememberDenied'];
const COST: readonly (keyof RateLimitCheckOptions)[] = ['cost'];

/** A check that somebody else sends, together with other steps. */
export interface RateLimitPlan {
  /** The answer, where it is known to be a denial without asking. */
  readonly known: RateLimitResult | undefined;
  /** The step to send; undefined where the store has no atomic part. */
  readonly call: AtomicCall | undefined;
  /** Takes what the step resulted in, and says what `check` would have said. */
  settle(result: unknown): RateLimitResult;
}

/**
 * Limits how much a key may do in a window, by the sliding window counter: two counts a key, weighted, without the double burst
 * that a fixed window allows at its edge. Windows are aligned to the clock of the store.
 *
 * On a store with an atomic part a check is one atomic step, exact at any concurrency; on a plain one see the README. Only
 * admitted calls count. Two windows of different length on one key are two limits. A key is used as it is.
 *
 * Every method rejects with a `TypeError` or `RangeError` that names the argument before anything is sent, and with what the
 * store rejects with: `GuardStorageUnavailableError`, and `GuardStorageFullError` for a new key of a full memory store.
 *
 * Nothing is held or timed here: a limiter needs no end.
 */
export class SlidingWindowRateLimiter {
  readonly #storage: CounterStorage;
  readonly #counter: WindowCounter;
  readonly #immediate: ImmediateWindowCounter | undefined;
  readonly #memo: DeniedMemo | undefined;
  readonly #refunded = new WeakSet<RateLimitResult>();
  /** The epoch in which a call was counted, on a storage that may go to another store. */
  readonly #epochOf: WeakMap<RateLimitResult, number | undefined> | undefined;
  /** Whether there is anything to be known of an answer later. */
  readonly #notes: boolean;

  /**
   * @param storage Used as it is: somebody else connects it and disconnects it. What it can do is looked at here, once.
   * @param options See {@link SlidingWindowRateLimiterOptions}.
   */
  constructor(storage: CounterStorage, options: SlidingWindowRateLimiterOptions = {}) {
    const problem = optionProblem(options, OPTIONS, 'SlidingWindowRateLimiter');
    if (problem !== undefined) throw problem;
    this.#storage = storage;
    this.#counter =
      storage.execute === undefined
        ? new PlainWindowCounter(storage)
        : new AtomicWindowCounter(storage, storage.execute.bind(storage));
    const immediate = immediateOf(storage);
    this.#immediate = immediate && new ImmediateWindowCounter(immediate);
    const remember = options.rememberDenied ?? true;
    this.#memo = remember && storage.inProcess !== true ? new DeniedMemo() : undefined;
    this.#epochOf = storage.current === undefined ? undefined : new WeakMap();
    this.#notes = this.#memo !== undefined || this.#epochOf !== undefined;
  }

  /**
   * Counts a call against `maxRequests` in `windowMs` when it is within, and says so. A denied call counts nothing.
   *
   * @param key Any well-formed string. Calls of one key and one `windowMs` share their counts, whatever their `maxRequests`.
   * @param maxRequests What may be admitted in a window, an integer; 0 denies all, a call that costs 0 too.
   * @param windowMs A positive integer; its product with `maxRequests` must be under 2^53.
   * @throws TypeError (rejection) for what is no number, for a key that cannot be, and for an unknown option. RangeError (rejection) for a number out of
   * range.
   */
  check(
    key: string,
    maxRequests: number,
    windowMs: number,
    options?: RateLimitCheckOptions,
  ): Promise<RateLimitResult> {
    let cost = 1;
    try {
      if (options !== undefined) cost = costOf(options);
      assertWindowRequest(maxRequests, windowMs, cost);
    } catch (error) {
      return Promise.reject(error);
    }
    const request = { max: maxRequests, windowMs, cost };
    return this.#notes ? this.#consumeNoting(key, request) : this.#counter.consume(key, request);
  }

  /**
   * {@link SlidingWindowRateLimiter.check} without a promise, for a storage that answers at once, as one in memory does.
   *
   * @returns Undefined where the storage does not: ask `check`. Nothing has been counted then.
   * @throws What `check` rejects with.
   */
  checkNow(
    key: string,
    maxRequests: number,
    windowMs: number,
    options?: RateLimitCheckOptions,
  ): RateLimitResult | undefined {
    const immediate = this.#immediate;
    if (immediate === undefined) return undefined;
    const cost = options === undefined ? 1 : costOf(options);
    assertWindowRequest(maxRequests, windowMs, cost);
    return immediate.consume(key, { max: maxRequests, windowMs, cost });
  }

  /** Looks at a key without counting: `remaining`, `resetMs`, the counts. `allowed` says that it is not over its limit. */
  peek(key: string, maxRequests: number, windowMs: number): Promise<RateLimitResult> {
    return this.check(key, maxRequests, windowMs, { cost: 0 });
  }

  /**
   * Takes an admitted call back, or a part of it: lowers the window that it was counted in, not under 0. Never sent twice.
   *
   * @param counted The very answer of `check`, which is taken back once and no more, in part as well. A denial counted nothing, so
   * nothing is taken back.
   * @param options How much: all of it by default. 0 takes nothing back, and leaves the answer to be taken back later.
   * @returns What was taken back: 0 when the window no longer matters, and on a storage that has gone to another store since,
   * whose counts are not those of the call.
   * @throws TypeError (rejection) for what is no answer of `check`, a cost that is no number, and an unknown option. RangeError (rejection) for a
   * cost over that of the call, under 0, or that is no integer.
   */
  async refund(
    key: string,
    counted: RateLimitResult,
    options?: RateLimitRefundOptions,
  ): Promise<number> {
    assertReceipt(counted);
    const problem = optionProblem(options, COST, 'refund');
    if (problem !== undefined) throw problem;
    const cost = options?.cost ?? counted.cost;
    assertRefund(cost, counted.cost);
    if (!counted.allowed || cost === 0 || this.#refunded.has(counted)) return 0;
    this.#refunded.add(counted);
    if (this.#epochOf?.has(counted) === false) return 0;
    if (this.#epochOf !== undefined && this.#epochOf.get(counted) !== this.#storage.epoch) return 0;
    this.#memo?.forget(memoKey(key, counted.windowMs));
    const refunded = await this.#counter.refund(key, { ...counted, cost });
    this.#memo?.forget(memoKey(key, counted.windowMs));
    return refunded;
  }

  /**
   * Deletes the counts of a key for one window length; of a key without counts there is nothing to delete. Another process that
   * remembers a denial of the key goes on denying for up to a second.
   */
  async reset(key: string, windowMs: number): Promise<void> {
    assertWindow(windowMs);
    await this.#counter.reset(key, windowMs);
    this.#memo?.forget(memoKey(key, windowMs));
  }

  /**
   * Prepares a check for a caller who takes several steps in one `executeTogether`. Nothing is sent here.
   *
   * @throws TypeError or RangeError for a number that {@link SlidingWindowRateLimiter.check} would refuse.
   */
  planCheck(
    key: string,
    maxRequests: number,
    windowMs: number,
    options?: RateLimitCheckOptions,
  ): RateLimitPlan {
    const cost = options === undefined ? 1 : costOf(options);
    assertWindowRequest(maxRequests, windowMs, cost);
    const request = { max: maxRequests, windowMs, cost };
    const call = this.#counter.consumeCall?.(key, request);
    if (!this.#notes) return { known: undefined, call, settle: asItIs };
    const sending = this.#sending(key, windowMs);
    return {
      known: this.#memo?.recall(sending.name, request, sending.epoch),
      call,
      settle: (result) => this.#note(sending, result as RateLimitResult),
    };
  }

  async #consumeNoting(key: string, request: WindowRequest): Promise<RateLimitResult> {
    const sending = this.#sending(key, request.windowMs);
    const known = this.#memo?.recall(sending.name, request, sending.epoch);
    return known ?? this.#note(sending, await this.#counter.consume(key, request));
  }

  #sending(key: string, windowMs: number): Sending {
    const sentAtMs = this.#memo?.now() ?? 0;
    return { name: memoKey(key, windowMs), epoch: this.#storage.epoch, sentAtMs };
  }

  /** Keeps what is to be known of an answer later. One that came while the store changed is not known to be of either. */
  #note({ name, epoch, sentAtMs }: Sending, result: RateLimitResult): RateLimitResult {
    if (epoch !== this.#storage.epoch) return result;
    this.#memo?.remember(name, result, sentAtMs, epoch);
    this.#epochOf?.set(result, epoch);
    return result;
  }
}

/** A question on its way: what it is about, to which store it goes, and since when. */
interface Sending {
  readonly name: string;
  readonly epoch: number | undefined;
  readonly sentAtMs: number;
}

function asItIs(result: unknown): RateLimitResult {
  return result as RateLimitResult;
}

function memoKey(key: string, windowMs: number): string {
  return `${String(windowMs)}:${key}`;
}

function costOf(options: RateLimitCheckOptions): number {
  const problem = optionProblem(options, COST, 'check');
  if (problem !== undefined) throw problem;
  return options.cost ?? 1;
}
