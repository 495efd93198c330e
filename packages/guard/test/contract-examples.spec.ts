import { createMemoryStorage } from '@frontmcp/guard-storage-adapters';

import * as guardPackage from '../src/index.js';
import {
  ConcurrencyLimitError,
  createGuardManager,
  DistributedSemaphore,
  ExecutionTimeoutError,
  GuardError,
  GuardStorageUnavailableError,
  IpBlockedError,
  IpFilter,
  IpNotAllowedError,
  QueueTimeoutError,
  resolvePartitionKey,
  SlidingWindowRateLimiter,
  withTimeout,
  type RateLimitConfig,
} from '../src/index.js';

/** The examples of the public contract, as a user would type them. */
describe('the examples of the contract', () => {
  test('[GM-01] [GM-02] [GM-07] a manager on its own', async () => {
    const guard = await createGuardManager({
      config: {
        enabled: true,
        defaultRateLimit: { maxRequests: 100, windowMs: 60_000, partitionBy: 'session' },
        defaultConcurrency: { maxConcurrent: 5 },
        ipFilter: { denyList: ['10.0.0.0/8'], defaultAction: 'allow' },
      },
    });
    const ipResult = guard.checkIpFilter('203.0.113.5');
    expect(ipResult?.allowed).toBe(true);
    const rateLimit = await guard.checkRateLimit('my-tool', undefined, { sessionId: 'sess-123' });
    expect(rateLimit.allowed).toBe(true);
    const ticket = await guard.acquireSemaphore('my-tool', undefined, { sessionId: 'sess-123' });
    expect(await ticket?.release()).toBe(true);
    await guard.destroy();
  });

  test('[RL-05] [RL-10] the rate limiter', async () => {
    const storage = createMemoryStorage();
    await storage.connect();
    const limiter = new SlidingWindowRateLimiter(storage);
    for (let call = 0; call < 100; call++) {
      expect((await limiter.check('user:42', 100, 60_000)).allowed).toBe(true);
    }
    const result = await limiter.check('user:42', 100, 60_000);
    expect(result.allowed).toBe(false);
    expect(result.retryAfterMs).toBeGreaterThan(0);
    await limiter.reset('user:42', 60_000);
    expect((await limiter.check('user:42', 100, 60_000)).allowed).toBe(true);
  });

  test('the semaphore', async () => {
    const storage = createMemoryStorage();
    await storage.connect();
    const semaphore = new DistributedSemaphore(storage, 300);
    const ticket = await semaphore.acquire('my-tool:global', 5, 10_000, 'my-tool');
    expect(await semaphore.getActiveCount('my-tool:global')).toBe(1);
    await ticket?.release();
    expect(await semaphore.getActiveCount('my-tool:global')).toBe(0);
    await semaphore.destroy();
  });

  test('the timeout and its error', async () => {
    const slow = withTimeout(
      () => new Promise((resolve) => setTimeout(resolve, 200)),
      5,
      'slow-op',
    );
    await expect(slow).rejects.toBeInstanceOf(ExecutionTimeoutError);
    await expect(slow).rejects.toMatchObject({
      code: 'EXECUTION_TIMEOUT',
      statusCode: 408,
      timeoutMs: 5,
    });
  });

  test('the IP filter', () => {
    const filter = new IpFilter({
      allowList: ['192.168.0.0/16'],
      denyList: ['192.168.1.100'],
      defaultAction: 'deny',
    });
    expect(filter.check('192.168.2.50')).toEqual({
      allowed: true,
      reason: 'allowlisted',
      matchedRule: '192.168.0.0/16',
    });
    expect(filter.check('192.168.1.100')).toEqual({
      allowed: false,
      reason: 'denylisted',
      matchedRule: '192.168.1.100',
    });
  });

  test('[PK-06] a partition of one’s own', () => {
    const config: RateLimitConfig = {
      maxRequests: 100,
      windowMs: 60_000,
      partitionBy: (ctx) => (ctx.userId ? `user:${ctx.userId}` : `session:${ctx.sessionId}`),
    };
    expect(resolvePartitionKey(config.partitionBy, { sessionId: 's' })).toBe('session:s');
  });

  test('[GM-12] every check of a manager with every limit', async () => {
    const guard = await createGuardManager({
      config: {
        enabled: true,
        storage: { type: 'memory' },
        keyPrefix: 'myapp:guard:',
        global: { maxRequests: 1000, windowMs: 60_000, partitionBy: 'ip' },
        globalConcurrency: { maxConcurrent: 50, partitionBy: 'global' },
        defaultRateLimit: { maxRequests: 100, windowMs: 60_000, partitionBy: 'session' },
        defaultConcurrency: { maxConcurrent: 10, queueTimeoutMs: 5_000 },
        defaultTimeout: { executeMs: 30_000 },
        ipFilter: { denyList: ['10.0.0.0/8'], allowList: ['10.0.1.0/24'], defaultAction: 'allow' },
      },
    });
    const context = { sessionId: 'sess-1', clientIp: '203.0.113.5' };
    expect(await guard.checkGlobalRateLimit(context)).toMatchObject({ remaining: 999 });
    expect(await guard.checkRateLimit('my-tool', undefined, context)).toMatchObject({
      remaining: 99,
    });
    const globalTicket = await guard.acquireGlobalSemaphore(context);
    const ticket = await guard.acquireSemaphore('my-tool', undefined, context);
    await ticket?.release();
    await globalTicket?.release();
    expect(guard.config.defaultTimeout).toEqual({ executeMs: 30_000 });
    expect(guard.checkIpFilter('10.0.1.5')).toMatchObject({ allowed: false });
    await guard.destroy();
  });
});

describe('the package root', () => {
  test('[GM-23] the errors have the codes and statuses of the table', () => {
    const errors = [
      [new ExecutionTimeoutError('t', 5), 'EXECUTION_TIMEOUT', 408],
      [new QueueTimeoutError('t', 5), 'QUEUE_TIMEOUT', 429],
      [new GuardStorageUnavailableError('down'), 'GUARD_STORAGE_UNAVAILABLE', 503],
      [new ConcurrencyLimitError('t', 5), 'CONCURRENCY_LIMIT', 429],
      [new IpBlockedError('10.0.0.1'), 'IP_BLOCKED', 403],
      [new IpNotAllowedError('10.0.0.1'), 'IP_NOT_ALLOWED', 403],
      [new guardPackage.RateLimitError('t', 5), 'RATE_LIMIT_EXCEEDED', 429],
      [new guardPackage.GuardConfigError('bad'), 'GUARD_CONFIG_INVALID', 500],
      [new guardPackage.GuardStorageUnsupportedError('no'), 'GUARD_STORAGE_UNSUPPORTED', 500],
      [new guardPackage.LeaseLostError('t', 'id'), 'LEASE_LOST', 500],
      [new guardPackage.GuardStorageFullError(5), 'GUARD_STORAGE_FULL', 503],
    ] as const;
    for (const [error, code, statusCode] of errors) {
      expect(error).toBeInstanceOf(GuardError);
      expect(error).toMatchObject({ code, statusCode });
    }
  });

  test('[GM-24] exports everything that the API reference lists', () => {
    const listed = [
      ...['GuardManager', 'SlidingWindowRateLimiter', 'DistributedSemaphore', 'IpFilter'],
      ...['createGuardManager', 'withTimeout', 'resolvePartitionKey', 'buildStorageKey'],
      ...['GuardError', 'ExecutionTimeoutError', 'ConcurrencyLimitError', 'QueueTimeoutError'],
      ...['IpBlockedError', 'IpNotAllowedError', 'GuardStorageUnavailableError'],
      ...['guardConfigSchema', 'rateLimitConfigSchema', 'concurrencyConfigSchema'],
      ...['timeoutConfigSchema', 'ipFilterConfigSchema', 'partitionKeySchema'],
    ];
    expect(Object.keys(guardPackage)).toEqual(expect.arrayContaining(listed));
  });

  test('[GM-25] the schemas are zod 4 schemas, strict and with defaults', () => {
    const { rateLimitConfigSchema, guardConfigSchema, partitionKeySchema } = guardPackage;
    expect(rateLimitConfigSchema.parse({ maxRequests: 5 })).toEqual({
      maxRequests: 5,
      windowMs: 60_000,
      partitionBy: 'global',
    });
    expect(rateLimitConfigSchema.safeParse({ maxRequests: 5, x: 1 }).success).toBe(false);
    expect(guardConfigSchema._zod.version.major).toBe(4);
    expect(partitionKeySchema.safeParse(() => 'x').success).toBe(true);
    expect(guardConfigSchema.optional().safeParse(undefined).success).toBe(true);
  });
});
