import type {
  ConcurrencyConfig,
  GuardConfig,
  RateLimitConfig,
  TimeoutConfig,
} from '@frontmcp/guard';

/** What the example promises to hold, and checks at the end. */
export const perIp = { maxRequests: 250, windowMs: 2_000 } as const;
export const searchPerUser = { maxRequests: 40, windowMs: 2_000 } as const;
export const exportSlots = { maxConcurrent: 5, queueTimeoutMs: 150 } as const;
export const exportTimeout = { executeMs: 120 } as const;

export const guardConfig: GuardConfig = {
  enabled: true,
  storage: { type: 'memory' },
  global: { ...perIp, partitionBy: 'ip' },
  ipFilter: { denyList: ['192.0.2.0/24'] },
};

interface Route {
  readonly rateLimit?: RateLimitConfig;
  readonly concurrency?: ConcurrencyConfig;
  readonly timeout?: TimeoutConfig;
}

export const routes: Readonly<Record<string, Route>> = {
  '/search': { rateLimit: { ...searchPerUser, partitionBy: 'userId' } },
  '/export': { concurrency: exportSlots, timeout: exportTimeout },
};
