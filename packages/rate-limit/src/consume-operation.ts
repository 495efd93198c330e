import type { AtomicOperation, Decision } from '@frontmcp/guard-core';

import { encodeRequest } from './encode-request.js';
import { consumeSource } from './lua/consume.js';
import type { RateLimitResult } from './rate-limit-result.js';
import { slide, type WindowRequest } from './sliding-window.js';
import { smallInteger } from './small-integer.js';
import type { WindowState } from './window-state.js';

/** Counts a call when its limit admits it. A denied call, and one that costs nothing, changes nothing. */
export const consumeOperation: AtomicOperation<WindowState, WindowRequest, RateLimitResult> = {
  name: 'sliding-window.consume',
  decide(state, request, nowMs): Decision<WindowState, RateLimitResult> {
    const result = slide(state, request, nowMs);
    if (result.allowed && request.cost > 0) return new Admission(state, result);
    return { result, admitted: result.allowed };
  },
  script: {
    source: consumeSource,
    encode: encodeRequest,
    decode(reply, request) {
      const [nowMs, index, previous, current] = reply as [unknown, unknown, unknown, unknown];
      const counts = {
        index: Number(index),
        previous: Number(previous),
        current: Number(current),
      };
      return slide(counts, request, Number(nowMs));
    },
  },
};

/** A class rather than a literal with a closure: it is made for every admitted call, and this is one object instead of three. */
class Admission implements Decision<WindowState, RateLimitResult> {
  readonly admitted = true;
  readonly result: RateLimitResult;
  readonly #state: WindowState | undefined;

  constructor(state: WindowState | undefined, result: RateLimitResult) {
    this.result = result;
    this.#state = state;
  }

  commit(): WindowState {
    const { windowStartMs, windowMs, previousCount, currentCount } = this.result;
    const state = this.#state ?? { expiresAtMs: 0, index: -1, previous: 0, current: 0 };
    state.expiresAtMs = windowStartMs + 2 * windowMs;
    if (state.index * windowMs !== windowStartMs) {
      state.index = smallInteger(windowStartMs / windowMs);
      state.previous = previousCount;
    }
    state.current = currentCount;
    return state;
  }
}
