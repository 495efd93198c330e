import type { AtomicOperation, Decision } from '@frontmcp/guard-core';

import { radixOf } from './lua/packed-counts.js';
import { refundSource } from './lua/refund.js';
import type { WindowState } from './window-state.js';

/** What a refund takes back. */
export interface RefundRequest {
  /** The number of the window that the call was counted in. */
  readonly index: number;
  readonly windowMs: number;
  readonly cost: number;
}

/**
 * Lowers the count of the window that a call was counted in, not under 0, and leaves the expiry alone. Results in what was
 * taken back: nothing when that window no longer matters.
 */
export const refundOperation: AtomicOperation<WindowState, RefundRequest, number> = {
  name: 'sliding-window.refund',
  decide(state, { index, cost }): Decision<WindowState, number> {
    const field = state === undefined ? undefined : fieldOf(state, index);
    if (state === undefined || field === undefined) return { result: 0, admitted: true };
    const refunded = Math.min(state[field], cost);
    return {
      result: refunded,
      admitted: true,
      commit: () => {
        state[field] -= refunded;
        return state;
      },
    };
  },
  script: {
    source: refundSource,
    encode: ({ index, windowMs, cost }) => [String(index), String(cost), String(radixOf(windowMs))],
    decode: Number,
  },
};

function fieldOf(state: WindowState, index: number): 'current' | 'previous' | undefined {
  if (state.index === index) return 'current';
  return state.index === index + 1 ? 'previous' : undefined;
}
