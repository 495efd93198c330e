import { GuardError, GuardStorageUnavailableError } from '@frontmcp/guard-core';
import { RateLimitError } from '@frontmcp/guard-rate-limit';

import { retryAfterMsOf } from './retry-after-ms-of.js';

const coded = (code: string) => new GuardError('x', { code, statusCode: 429 });

test.each<[GuardError, number | undefined]>([
  [new RateLimitError('a', 1_234), 1_234],
  [new RateLimitError('a', Infinity), Infinity],
  [new GuardStorageUnavailableError('x'), 1_000],
  [coded('GUARD_STORAGE_FULL'), 1_000],
  [coded('CONCURRENCY_LIMIT'), 1_000],
  [coded('QUEUE_TIMEOUT'), 1_000],
  [coded('RATE_LIMIT_EXCEEDED'), undefined],
  [coded('IP_BLOCKED'), undefined],
  [coded('EXECUTION_TIMEOUT'), undefined],
  [coded('MINE'), undefined],
])('%s: %d', (error, ms) => {
  expect(retryAfterMsOf(error)).toBe(ms);
});
