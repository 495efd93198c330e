import { createHash } from 'node:crypto';

import type { Redis } from 'ioredis';

import type { Limiter } from './limiters.ts';

export const WINDOW_MS = 3_600_000;

/** What a limiter is made of: a connection of its own to the one server, and a prefix of its own for its keys. */
export interface RedisPlace {
  readonly client: Redis;
  readonly url: string;
  readonly prefix: string;
  /** Whether what the limiter remembers of denied keys is on. */
  readonly remembers: boolean;
}

export const FLOOR = 'EVALSHA of `return 1`';

/** Each counts one call of a key against `max` calls an hour, in its own way; the floors count nothing, or know no limit. */
export const redisLimiters: Readonly<
  Record<string, (max: number, place: RedisPlace) => Limiter | Promise<Limiter>>
> = {
  [FLOOR]: async (max, { client, prefix }) => {
    const sha = (await client.script('LOAD', 'return 1')) as string;
    return { check: (key) => client.evalsha(sha, 1, prefix + key), isAllowed: () => max > 1 };
  },
  'INCR alone': (max, { client, prefix }) => ({
    check: (key) => client.incr(prefix + key),
    isAllowed: (count: number) => count <= max,
  }),
  '@frontmcp/guard-rate-limit, as createStorage makes it': async (
    max,
    { url, prefix, remembers },
  ) => {
    const { createStorage, namespaceStorage } = await import('@frontmcp/guard-storage-adapters');
    const { SlidingWindowRateLimiter } = await import('@frontmcp/guard-rate-limit');
    const storage = await createStorage({ type: 'redis', redis: { url }, fallback: 'error' });
    const limiter = new SlidingWindowRateLimiter(namespaceStorage(storage, prefix), {
      rememberDenied: remembers,
    });
    return {
      check: (key) => limiter.check(key, max, WINDOW_MS),
      isAllowed: ({ allowed }: { allowed: boolean }) => allowed,
      close: () => storage.disconnect(),
    };
  },
  'rate-limiter-flexible (fixed)': async (max, { client, prefix, remembers }) => {
    const { RateLimiterRedis, RateLimiterRes } = await import('rate-limiter-flexible');
    const limiter = new RateLimiterRedis({
      storeClient: client,
      keyPrefix: prefix,
      points: max,
      duration: WINDOW_MS / 1000,
      ...(remembers && { inMemoryBlockOnConsumed: max }),
    });
    return {
      check: (key) =>
        limiter.consume(key).then(
          () => true,
          (error: unknown) => {
            if (error instanceof RateLimiterRes) return false;
            throw error;
          },
        ),
      isAllowed: (admitted: boolean) => admitted,
    };
  },
  'rate-limit-redis (fixed)': async (max, { client, prefix }) => {
    const { RedisStore } = await import('rate-limit-redis');
    const store = new RedisStore({
      sendCommand: (command: string, ...args: string[]) => client.call(command, ...args) as never,
      prefix,
    });
    await store.init({ windowMs: WINDOW_MS } as Parameters<typeof store.init>[0]);
    return {
      check: (key) => store.increment(key),
      isAllowed: ({ totalHits }: { totalHits: number }) => totalHits <= max,
    };
  },
  '@upstash/ratelimit (sliding)': async (max, { client, prefix, remembers }) => {
    const { Ratelimit } = await import('@upstash/ratelimit');
    const limiter = new Ratelimit({
      redis: upstashOver(client) as ConstructorParameters<typeof Ratelimit>[0]['redis'],
      limiter: Ratelimit.slidingWindow(max, '1 h'),
      prefix,
      ephemeralCache: remembers ? new Map() : false,
    });
    return {
      check: (key) => limiter.limit(key),
      isAllowed: ({ success }: { success: boolean }) => success,
    };
  },
};

/** Its scripts begin with a flag that a real Redis refuses, so they run without it, under the name that this gives them. */
function upstashOver(client: Redis): object {
  const names = new Map<string, string>();
  const flag = /^#!lua[^\n]*\n/;
  return {
    evalsha(sha: string, keys: string[], args: unknown[]) {
      return client.evalsha(names.get(sha) ?? sha, keys.length, ...keys, ...args.map(String));
    },
    eval(source: string, keys: string[], args: unknown[]) {
      const [own, plain] = [source, source.replace(flag, '')].map((text) =>
        createHash('sha1').update(text).digest('hex'),
      );
      names.set(own as string, plain as string);
      return client.eval(source.replace(flag, ''), keys.length, ...keys, ...args.map(String));
    },
  };
}
