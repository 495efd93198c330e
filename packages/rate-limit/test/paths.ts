import { createMemoryStorage } from '@frontmcp/guard-storage-adapters';
import { plainOnly } from '@frontmcp/guard-storage-conformance';

import { SlidingWindowRateLimiter } from '../src/index.js';

/** The two ways to count, each on a memory store that follows the (faked) `Date`. */
export const paths = [
  { path: 'atomic', open: () => createMemoryStorage() },
  { path: 'plain', open: () => plainOnly(createMemoryStorage()) },
] as const;

export function limiterOn(storage: ConstructorParameters<typeof SlidingWindowRateLimiter>[0]) {
  return new SlidingWindowRateLimiter(storage, { rememberDenied: false });
}
