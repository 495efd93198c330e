import type { AtomicOperation, Decision } from '@frontmcp/guard-core';

import type { RateLimitResult } from './rate-limit-result.js';
import { slide, type WindowRequest } from './sliding-window.js';
import type { WindowState } from './window-state.js';

/** Counts a call when its limit admits it. A denied call, and one that costs nothing, changes nothing. */
export const consumeOperation: AtomicOperation<WindowState, WindowRequest, RateLimitResult> = {
  name: 'sliding-window.consume',
  decide(state, request, nowMs): Decision<WindowState, RateLimitResult> {
    const result = slide(state, request, nowMs);
    if (!result.allowed || request.cost === 0) return { result, admitted: result.allowed };
    return { result, admitted: true, commit: () => count(state, result) };
  },
};

function count(state: WindowState | undefined, admitted: RateLimitResult): WindowState {
  const { windowStartMs, windowMs, previousCount, currentCount } = admitted;
  const index = windowStartMs / windowMs;
  const expiresAtMs = windowStartMs + 2 * windowMs;
  if (state === undefined) {
    return { expiresAtMs, index, previous: previousCount, current: currentCount };
  }
  state.expiresAtMs = expiresAtMs;
  state.index = index;
  state.previous = previousCount;
  state.current = currentCount;
  return state;
}
