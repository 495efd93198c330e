import type { GuardConfig } from '@frontmcp/guard';

/** What every HTTP example holds its visitor to. */
export const config: GuardConfig = {
  enabled: true,
  ipFilter: { denyList: ['192.0.2.0/24'], trustProxy: true },
  defaultRateLimit: { maxRequests: 100, windowMs: 60_000, partitionBy: 'ip' },
};

/** `GET /search`: three in two seconds for each address. */
export const search = {
  entity: 'search',
  rateLimit: { maxRequests: 3, windowMs: 2_000, partitionBy: 'ip' },
} as const;

/** `GET /export`: one at a time, nobody waits. */
export const exportOnce = { entity: 'export', concurrency: { maxConcurrent: 1 } } as const;

/** `GET /slow`: 100 ms, for work that would take longer. */
export const slow = { entity: 'slow', timeout: { executeMs: 100 } } as const;

/** How long the work behind `/export` and `/slow` takes. */
export const WORK_MS = 300;
