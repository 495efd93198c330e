import { fullSlidingCounter, slidingCounter } from './floors.ts';

const WINDOW_MS = 3_600_000;
export const FLOOR = 'hand-written on a Map';
/** The floor with an answer of as many fields as ours. */
export const FULL_FLOOR = 'hand-written with our nine fields';

/** Checks and counts one call of a key against `max` calls an hour, in the limiter's own way. */
export type Check = (key: string) => Promise<unknown>;

export interface Limiter {
  readonly check: Check;
  readonly isAllowed: (result: never) => boolean;
}

/** Makes a limiter with counters of its own, for at most `max` calls an hour. */
export const limiters: Readonly<Record<string, (max: number) => Limiter | Promise<Limiter>>> = {
  [FLOOR]: (max) => {
    const check = slidingCounter();
    return { check: (key) => check(key, max, WINDOW_MS), isAllowed: byField };
  },
  [FULL_FLOOR]: (max) => {
    const check = fullSlidingCounter();
    return { check: (key) => check(key, max, WINDOW_MS), isAllowed: byField };
  },
  '@frontmcp/guard-rate-limit': async (max) => {
    const { createMemoryStorage } = await import('@frontmcp/guard-storage-adapters');
    const { SlidingWindowRateLimiter } = await import('@frontmcp/guard-rate-limit');
    const storage = createMemoryStorage();
    await storage.connect();
    const limiter = new SlidingWindowRateLimiter(storage);
    return { check: (key) => limiter.check(key, max, WINDOW_MS), isAllowed: byField };
  },
  'express-rate-limit (fixed)': async (max) => {
    const { MemoryStore } = await import('express-rate-limit');
    const store = new MemoryStore();
    store.init({ windowMs: WINDOW_MS } as Parameters<typeof store.init>[0]);
    return {
      check: (key) => store.increment(key),
      isAllowed: ({ totalHits }: { totalHits: number }) => totalHits <= max,
    };
  },
  'hono-rate-limiter (fixed)': async (max) => {
    const { MemoryStore } = await import('hono-rate-limiter');
    const store = new MemoryStore();
    store.init({ windowMs: WINDOW_MS } as Parameters<typeof store.init>[0]);
    return {
      check: (key) => Promise.resolve(store.increment(key)),
      isAllowed: ({ totalHits }: { totalHits: number }) => totalHits <= max,
    };
  },
  'rate-limiter-flexible (fixed)': async (max) => {
    const { RateLimiterMemory, RateLimiterRes } = await import('rate-limiter-flexible');
    const limiter = new RateLimiterMemory({ points: max, duration: WINDOW_MS / 1000 });
    return {
      check: (key) =>
        limiter.consume(key).catch((error: unknown) => {
          if (error instanceof RateLimiterRes) return error;
          throw error;
        }),
      isAllowed: ({ consumedPoints }: { consumedPoints: number }) => consumedPoints <= max,
    };
  },
  'limiter (token bucket)': async (max) => {
    const { RateLimiter } = await import('limiter');
    const buckets = new Map<string, InstanceType<typeof RateLimiter>>();
    return {
      check: (key) => {
        let bucket = buckets.get(key);
        if (bucket === undefined) {
          bucket = new RateLimiter({
            tokensPerInterval: max,
            interval: WINDOW_MS,
            fireImmediately: true,
          });
          buckets.set(key, bucket);
        }
        return bucket.removeTokens(1);
      },
      isAllowed: (left: number) => left >= 0,
    };
  },
};

function byField({ allowed }: { allowed: boolean }): boolean {
  return allowed;
}
