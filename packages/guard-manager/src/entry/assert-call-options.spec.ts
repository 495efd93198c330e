import { GuardConfigError } from '@frontmcp/guard-core';

import { assertCallLimits, type CallOptions } from './assert-call-options.js';

describe('assertCallLimits', () => {
  test.each<[string, CallOptions]>([
    ['none', {}],
    ['those that are lifted', { rateLimit: false, concurrency: false, timeout: false }],
    ['the least', { rateLimit: { maxRequests: 1 }, concurrency: { maxConcurrent: 1 } }],
    [
      'all there is',
      {
        rateLimit: { maxRequests: 5, windowMs: 1, partitionBy: 'ip' },
        concurrency: { maxConcurrent: 5, queueTimeoutMs: 0, maxQueue: 0, partitionBy: () => 'x' },
        timeout: { executeMs: 1 },
      },
    ],
  ])('lets %s through', (_, limits) => {
    expect(() => assertCallLimits(limits)).not.toThrow();
  });

  test.each<[object, string]>([
    [{ rateLimit: { maxRequests: 0 } }, 'maxRequests must be a positive integer, got 0'],
    [{ rateLimit: { maxRequests: 1.5 } }, 'maxRequests must be a positive integer, got 1.5'],
    [{ rateLimit: { maxRequests: '5' } }, 'maxRequests must be a number, got string'],
    [{ rateLimit: { windowMs: 5 } }, 'maxRequests must be a number, got undefined'],
    [{ rateLimit: { maxRequests: 1, windowMs: NaN } }, 'windowMs must be a positive integer'],
    [{ concurrency: { maxConcurrent: -1 } }, 'maxConcurrent must be a positive integer, got -1'],
    [{ concurrency: { maxConcurrent: 1, queueTimeoutMs: -1 } }, 'queueTimeoutMs must be at least'],
    [{ timeout: { executeMs: 0 } }, 'executeMs must be positive, got 0'],
  ])('names what is wrong with %j', (limits, message) => {
    expect(() => assertCallLimits(limits as CallOptions)).toThrow(message);
  });

  test.each<[object, string]>([
    [{ rateLimit: { maxRequest: 1 } }, 'Unknown key "maxRequest" in rateLimit, did you mean'],
    [{ concurrency: { max: 1 } }, 'Unknown key "max" in concurrency'],
    [{ timeout: { ms: 1 } }, 'Unknown key "ms" in timeout'],
  ])('is a GuardConfigError for a key that nobody reads: %j', (limits, message) => {
    expect(() => assertCallLimits(limits as CallOptions)).toThrow(GuardConfigError);
    expect(() => assertCallLimits(limits as CallOptions)).toThrow(message);
  });
});
