import type { StorageAdapter } from '@frontmcp/guard-core';
import { createMemoryStorage } from '@frontmcp/guard-storage-adapters';
import { plainOnly } from '@frontmcp/guard-storage-conformance';

import { SlidingWindowRateLimiter } from '../src/index.js';

/** The ways to count, each on a memory store that follows the (faked) `Date`. */
export const paths = [
  { path: 'immediate', open: () => createMemoryStorage() },
  { path: 'atomic', open: () => withoutImmediate(createMemoryStorage()) },
  { path: 'plain', open: () => plainOnly(createMemoryStorage()) },
] as const;

export function limiterOn(storage: ConstructorParameters<typeof SlidingWindowRateLimiter>[0]) {
  return new SlidingWindowRateLimiter(storage, { rememberDenied: false });
}

/** The same store, whose steps are answered by a promise each. */
function withoutImmediate(storage: StorageAdapter): StorageAdapter {
  return new Proxy(storage, {
    get(target, name): unknown {
      if (name === 'immediate') return undefined;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
