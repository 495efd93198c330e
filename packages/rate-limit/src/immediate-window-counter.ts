import { atomicCall, type ImmediateOperation, type ImmediateStorage } from '@frontmcp/guard-core';

import { consumeOperation } from './consume-operation.js';
import type { RateLimitResult } from './rate-limit-result.js';
import type { WindowRequest } from './sliding-window.js';
import { kindOf, MAX_BOUND_WINDOWS, nameOf } from './window-name.js';

type Consume = ImmediateOperation<WindowRequest, RateLimitResult>;

/** Counts by the steps of a store that answers at once. */
export class ImmediateWindowCounter {
  readonly #immediate: ImmediateStorage;
  readonly #bound = new Map<number, Consume>();

  constructor(immediate: ImmediateStorage) {
    this.#immediate = immediate;
  }

  consume(key: string, request: WindowRequest): RateLimitResult {
    const consume = this.#bound.get(request.windowMs) ?? this.#bind(request.windowMs);
    return consume(key, request);
  }

  #bind(windowMs: number): Consume {
    if (this.#bound.size >= MAX_BOUND_WINDOWS) {
      return (key, request) => {
        const call = atomicCall(consumeOperation, nameOf(key, windowMs), request);
        return this.#immediate.executeTogether([call])[0] as RateLimitResult;
      };
    }
    const bound = this.#immediate.prepare(consumeOperation, kindOf(windowMs));
    this.#bound.set(windowMs, bound);
    return bound;
  }
}
