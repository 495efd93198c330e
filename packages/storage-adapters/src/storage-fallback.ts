import { GuardConfigError } from '@frontmcp/guard-core';

/** What happens while the backend cannot be reached: calls fail, or are served by a store in this process. */
export type StorageFallback = 'error' | 'memory';

/** @throws GuardConfigError unless `value` is one of the two. */
export function assertFallback(value: string, name: string): void {
  if (value === 'error' || value === 'memory') return;
  throw new GuardConfigError(`${name} must be "error" or "memory", got ${JSON.stringify(value)}`);
}
