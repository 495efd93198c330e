import { assertStorageKey, onStoreInUse, type CounterStorage } from '@frontmcp/guard-core';

import type { RateLimitResult } from './rate-limit-result.js';
import { slide, type WindowRequest } from './sliding-window.js';
import type { WindowCounter } from './window-counter.js';

/** A key lives to the end of the window after its own, and this long at least: calls are bounded in time to less. */
const MIN_TTL_MS = 2_000;

type PlainCounter = Pick<CounterStorage, 'get' | 'set' | 'mget' | 'incrBy'>;

/**
 * Counts by plain calls, for stores without an atomic part: a key per window, incremented, compared, and given back when
 * over. No window admits more than its limit as long as the store increments atomically and nobody resets or refunds
 * meanwhile. Weaker than the atomic path in that an increment that was sent in one window and lands in the next is missed
 * by the share of the previous window there, and that under concurrency a call may be denied that another order would have
 * admitted. All calls of one step go to one store, also while the storage falls back to another.
 */
export class PlainWindowCounter implements WindowCounter {
  readonly #storage: CounterStorage;
  readonly #clock: () => number;

  /** @param clock Milliseconds since the epoch: the process's own, plain stores have none. */
  constructor(storage: CounterStorage, clock: () => number = () => Date.now()) {
    this.#storage = storage;
    this.#clock = clock;
  }

  consume(key: string, request: WindowRequest): Promise<RateLimitResult> {
    return onStoreInUse(this.#storage, (store) => this.#consumeOn(store, key, request));
  }

  refund(key: string, counted: RateLimitResult): Promise<number> {
    return onStoreInUse(this.#storage, (store) => this.#refundOn(store, key, counted));
  }

  async reset(key: string, windowMs: number): Promise<void> {
    const index = Math.floor(this.#clock() / windowMs);
    await this.#storage.mdelete([index - 1, index].map((at) => windowKey(key, windowMs, at)));
  }

  async #consumeOn(
    store: PlainCounter,
    key: string,
    request: WindowRequest,
  ): Promise<RateLimitResult> {
    const { windowMs, cost } = request;
    const nowMs = this.#clock();
    const index = Math.floor(nowMs / windowMs);
    const currentKey = windowKey(key, windowMs, index);
    const [previousText, currentText] = await store.mget([
      windowKey(key, windowMs, index - 1),
      currentKey,
    ]);
    const previous = Number(previousText ?? 0);
    const seen = slide({ index, previous, current: Number(currentText ?? 0) }, request, nowMs);
    if (!seen.allowed || cost === 0) return seen;

    if (typeof currentText !== 'string') await createWindow(store, currentKey, windowMs, nowMs);
    const current = (await store.incrBy(currentKey, cost)) - cost;
    const result = slide({ index, previous, current }, request, nowMs);
    if (!result.allowed) await store.incrBy(currentKey, -cost);
    return result;
  }

  async #refundOn(store: PlainCounter, key: string, counted: RateLimitResult): Promise<number> {
    const { windowMs, windowStartMs, cost } = counted;
    const nowMs = this.#clock();
    if (nowMs >= windowStartMs + 2 * windowMs) return 0;
    const countedKey = windowKey(key, windowMs, windowStartMs / windowMs);
    const refunded = Math.min(cost, Number((await store.get(countedKey)) ?? 0));
    if (refunded > 0) await store.incrBy(countedKey, -refunded);
    return refunded;
  }
}

async function createWindow(
  store: PlainCounter,
  key: string,
  windowMs: number,
  nowMs: number,
): Promise<void> {
  const ttlMs = Math.max(2 * windowMs - (nowMs % windowMs), MIN_TTL_MS);
  await store.set(key, '0', { ifNotExists: true, ttlMs });
}

function windowKey(key: string, windowMs: number, index: number): string {
  assertStorageKey(key);
  return `${key}:rl:${String(windowMs)}:${String(index)}`;
}
