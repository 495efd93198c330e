import type { GuardError } from '@frontmcp/guard-core';
import { RateLimitError } from '@frontmcp/guard-rate-limit';

/** How often a storage that is down is tried again, and a guess of when a slot may be free. */
const HINT_MS = 1_000;

const PASSING: ReadonlySet<string> = new Set([
  'CONCURRENCY_LIMIT',
  'QUEUE_TIMEOUT',
  'GUARD_STORAGE_UNAVAILABLE',
  'GUARD_STORAGE_FULL',
]);

/**
 * How long to wait, in milliseconds, before a refused request is worth another try.
 *
 * A rate limit knows: Infinity when the same request will never be admitted. For a refusal by slots, and for a storage that does
 * not answer or is full, a second is a hint. Undefined for everything else, which waiting does not help.
 */
export function retryAfterMsOf(error: GuardError): number | undefined {
  if (error instanceof RateLimitError) return error.retryAfterMs;
  return PASSING.has(error.code) ? HINT_MS : undefined;
}
