import type { AtomicOperation, AtomicState } from '@frontmcp/guard-core';

import { consumeOperation } from './consume-operation.js';
import { refundOperation } from './refund-operation.js';

/** Every step that a `SlidingWindowRateLimiter` takes, for a store that has to know operations by name: Durable Objects. */
export const rateLimitOperations: readonly AtomicOperation<AtomicState, unknown, unknown>[] = [
  consumeOperation,
  refundOperation,
];
