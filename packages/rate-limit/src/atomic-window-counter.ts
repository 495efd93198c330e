import {
  atomicCall,
  prepareOperation,
  type AtomicCall,
  type CounterStorage,
  type PreparedOperation,
} from '@frontmcp/guard-core';

import { consumeOperation } from './consume-operation.js';
import type { RateLimitResult } from './rate-limit-result.js';
import { refundOperation, type RefundRequest } from './refund-operation.js';
import type { WindowRequest } from './sliding-window.js';
import type { WindowCounter } from './window-counter.js';
import { kindOf, MAX_BOUND_WINDOWS, nameOf } from './window-name.js';

type Consume = PreparedOperation<WindowRequest, RateLimitResult>;
type Execute = NonNullable<CounterStorage['execute']>;

/** Counts by atomic steps: one for each call, exact at any concurrency. */
export class AtomicWindowCounter implements WindowCounter {
  readonly #storage: CounterStorage;
  readonly #execute: Execute;
  readonly #bound = new Map<number, Consume>();

  constructor(storage: CounterStorage, execute: Execute) {
    this.#storage = storage;
    this.#execute = execute;
  }

  consume(key: string, request: WindowRequest): Promise<RateLimitResult> {
    const consume = this.#bound.get(request.windowMs) ?? this.#bind(request.windowMs);
    return consume(key, request);
  }

  consumeCall(key: string, request: WindowRequest): AtomicCall {
    return atomicCall(consumeOperation, nameOf(key, request.windowMs), request);
  }

  refund(key: string, counted: RateLimitResult): Promise<number> {
    const { windowMs, windowStartMs, cost } = counted;
    const request: RefundRequest = { index: windowStartMs / windowMs, windowMs, cost };
    return this.#execute(refundOperation, nameOf(key, windowMs), request);
  }

  async reset(key: string, windowMs: number): Promise<void> {
    await this.#storage.delete(nameOf(key, windowMs));
  }

  #bind(windowMs: number): Consume {
    const bind = this.#bound.size < MAX_BOUND_WINDOWS;
    const bound = bind
      ? prepareOperation(this.#storage, consumeOperation, kindOf(windowMs))
      : undefined;
    if (bound === undefined) {
      return async (key, request) =>
        this.#execute(consumeOperation, nameOf(key, windowMs), request);
    }
    this.#bound.set(windowMs, bound);
    return bound;
  }
}
