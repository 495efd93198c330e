import { onStoreInUse, type CounterStorage } from '@frontmcp/guard-core';

import type { RateLimitResult } from './rate-limit-result.js';
import { slide, type WindowRequest } from './sliding-window.js';
import type { WindowCounter } from './window-counter.js';

/** A key lives to the end of the window after its own, and a second at least, so that no late increment finds it gone. */
const MIN_TTL_MS = 1_000;

type PlainCounter = Pick<CounterStorage, 'set' | 'mget' | 'incrBy'>;

/**
 * Counts by plain calls, for stores without an atomic part: a key per window, incremented, compared, and given back when
 * over. Never admits over the limit as long as the store increments atomically and the processes' clocks agree; under
 * concurrency it may deny a call that another order would have admitted. No key is without an expiry at any moment. All calls of one
 * step go to one store, also while the storage falls back to another.
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
    await createWindow(store, countedKey, windowMs, nowMs);
    const left = await store.incrBy(countedKey, -cost);
    if (left >= 0) return cost;
    await store.incrBy(countedKey, -left);
    return cost + left;
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
  return `${key}:rl:${String(windowMs)}:${String(index)}`;
}
