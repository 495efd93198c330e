import type { AtomicCall } from '@frontmcp/guard-core';

import type { RateLimitResult } from './rate-limit-result.js';
import type { WindowRequest } from './sliding-window.js';

/** The counting of one store, by whichever path the store allows. */
export interface WindowCounter {
  consume(key: string, request: WindowRequest): Promise<RateLimitResult>;
  /** @returns What was taken back. */
  refund(key: string, counted: RateLimitResult): Promise<number>;
  reset(key: string, windowMs: number): Promise<void>;
  /** The step as part of an `executeTogether`; absent where the store has no atomic part. */
  consumeCall?(key: string, request: WindowRequest): AtomicCall;
}
