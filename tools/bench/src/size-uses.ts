/** A program of a few lines that uses one library in the simplest way. */
export interface Use {
  readonly name: string;
  readonly source: string;
  /** What stays outside of the bundle: clients that the program has anyway, and zod. */
  readonly external?: readonly string[];
}

const CLIENTS = ['zod', 'ioredis', 'redis', '@upstash/redis', '@vercel/kv'];

export const uses: readonly Use[] = [
  {
    name: '@frontmcp/guard-rate-limit',
    source: `import { SlidingWindowRateLimiter } from '@frontmcp/guard-rate-limit';
      export const check = (storage, key) => new SlidingWindowRateLimiter(storage).check(key, 10, 60000);`,
  },
  {
    name: '@frontmcp/guard-rate-limit, with memory',
    source: `import { SlidingWindowRateLimiter } from '@frontmcp/guard-rate-limit';
      import { createMemoryStorage } from '@frontmcp/guard-storage-adapters/memory';
      const limiter = new SlidingWindowRateLimiter(createMemoryStorage());
      export const check = (key) => limiter.check(key, 10, 60000);`,
  },
  {
    name: '@frontmcp/guard-semaphore',
    source: `import { DistributedSemaphore } from '@frontmcp/guard-semaphore';
      export const acquire = (storage, key) => new DistributedSemaphore(storage).acquire(key, 10, 0, key);`,
  },
  {
    name: '@frontmcp/guard-timeout',
    source: `import { withTimeout } from '@frontmcp/guard-timeout';
      export const run = (work) => withTimeout(work, 1000, 'work');`,
  },
  {
    name: '@frontmcp/guard-ip-filter',
    source: `import { IpFilter } from '@frontmcp/guard-ip-filter';
      const filter = new IpFilter({ denyList: ['10.0.0.0/8'] });
      export const check = (ip) => filter.check(ip);`,
  },
  {
    name: '@frontmcp/guard-storage-adapters/memory',
    source: `import { createMemoryStorage } from '@frontmcp/guard-storage-adapters/memory';
      export const storage = createMemoryStorage();`,
  },
  {
    name: '@frontmcp/guard, a manager on memory',
    source: `import { GuardManager, createMemoryStorage } from '@frontmcp/guard';
      const config = { enabled: true, defaultRateLimit: { maxRequests: 10, windowMs: 60000 } };
      export const manager = new GuardManager({ config, storage: createMemoryStorage() });`,
    external: CLIENTS,
  },
  {
    name: '@frontmcp/guard, createGuardManager with every storage',
    source: `import { createGuardManager } from '@frontmcp/guard';
      export const manager = createGuardManager({ config: { enabled: true, storage: { type: 'memory' } } });`,
    external: CLIENTS,
  },
  {
    name: 'rate-limiter-flexible',
    source: `import { RateLimiterMemory } from 'rate-limiter-flexible';
      const limiter = new RateLimiterMemory({ points: 10, duration: 60 });
      export const check = (key) => limiter.consume(key);`,
  },
  {
    name: '@upstash/ratelimit',
    source: `import { Ratelimit } from '@upstash/ratelimit';
      export const limiter = (redis) => new Ratelimit({ redis, limiter: Ratelimit.slidingWindow(10, '60 s') });`,
    external: CLIENTS,
  },
  {
    name: 'express-rate-limit',
    source: `import { rateLimit } from 'express-rate-limit';
      export const middleware = rateLimit({ limit: 10, windowMs: 60000 });`,
  },
  {
    name: 'hono-rate-limiter',
    source: `import { rateLimiter } from 'hono-rate-limiter';
      export const middleware = rateLimiter({ limit: 10, windowMs: 60000, keyGenerator: (c) => c.ip });`,
    external: ['hono'],
  },
  {
    name: '@fastify/rate-limit',
    source: `import rateLimit from '@fastify/rate-limit';
      export const register = (app) => app.register(rateLimit, { max: 10, timeWindow: 60000 });`,
    external: ['fastify'],
  },
  {
    name: 'limiter',
    source: `import { RateLimiter } from 'limiter';
      export const limiter = new RateLimiter({ tokensPerInterval: 10, interval: 60000 });`,
  },
  {
    name: 'async-sema',
    source: `import { Sema } from 'async-sema';
      export const semaphore = new Sema(10);`,
  },
  {
    name: 'redis-semaphore',
    source: `import { Semaphore } from 'redis-semaphore';
      export const semaphore = (client) => new Semaphore(client, 'key', 10);`,
    external: CLIENTS,
  },
  {
    name: 'cockatiel',
    source: `import { bulkhead } from 'cockatiel';
      export const policy = bulkhead(10);`,
  },
  {
    name: 'p-timeout',
    source: `import pTimeout from 'p-timeout';
      export const run = (work) => pTimeout(work(), { milliseconds: 1000 });`,
  },
];
