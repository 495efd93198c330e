import { createHash } from 'node:crypto';

import type { Cluster, Redis } from 'ioredis';

import type { Limiter } from './limiters.ts';
import { connectTo, onEveryServer, storageConfig, type RedisPlace } from './redis-place.ts';

export const WINDOW_MS = 3_600_000;

/** What a limiter is made of. */
export interface LimiterPlace extends RedisPlace {
  /** Whether what the limiter remembers of denied keys is on. */
  readonly remembers: boolean;
}

type Closing = Limiter & { readonly close: () => unknown };

type MakeOver = (
  max: number,
  client: Redis | Cluster,
  place: LimiterPlace,
) => Limiter | Promise<Limiter>;

export const FLOOR = 'EVALSHA of `return 1`';
const FLOOR_PIPELINED = `${FLOOR}, auto-pipelined`;

export const OURS = '@frontmcp/guard-rate-limit, as createStorage makes it';
export const FLEXIBLE = 'rate-limiter-flexible (fixed)';
export const FLEXIBLE_PIPELINED = `${FLEXIBLE}, auto-pipelined`;
export const EXPRESS = 'rate-limit-redis (fixed)';
export const EXPRESS_PIPELINED = `${EXPRESS}, auto-pipelined`;
export const UPSTASH = '@upstash/ratelimit (sliding)';

/** Each counts one call of a key against `max` calls an hour, in its own way; the floors count nothing, or know no limit. */
export const redisLimiters: Readonly<
  Record<string, (max: number, place: LimiterPlace) => Promise<Closing>>
> = {
  [FLOOR]: over(bare),
  [FLOOR_PIPELINED]: over(bare, true),
  'INCR alone': over((max, client, { prefix }) => ({
    check: (key) => client.incr(prefix + key),
    isAllowed: (count: number) => count <= max,
  })),
  [OURS]: async (max, place) => {
    const { createStorage, namespaceStorage } = await import('@frontmcp/guard-storage-adapters');
    const { SlidingWindowRateLimiter } = await import('@frontmcp/guard-rate-limit');
    const redis = storageConfig(place);
    const storage = await createStorage({ type: 'redis', redis, fallback: 'error' });
    const limiter = new SlidingWindowRateLimiter(namespaceStorage(storage, place.prefix), {
      rememberDenied: place.remembers,
    });
    return {
      check: (key) => limiter.check(key, max, WINDOW_MS),
      isAllowed: ({ allowed }: { allowed: boolean }) => allowed,
      close: () => storage.disconnect(),
    };
  },
  [FLEXIBLE]: over(flexible),
  [FLEXIBLE_PIPELINED]: over(flexible, true),
  [EXPRESS]: over(storeOfExpress),
  [EXPRESS_PIPELINED]: over(storeOfExpress, true),
  [UPSTASH]: over(async (max, client, { prefix, remembers }) => {
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
  }),
};

async function bare(
  max: number,
  client: Redis | Cluster,
  { prefix }: LimiterPlace,
): Promise<Limiter> {
  const [sha] = (await onEveryServer(client, ['SCRIPT', 'LOAD', 'return 1'])) as [string];
  return { check: (key) => client.evalsha(sha, 1, prefix + key), isAllowed: () => max > 1 };
}

async function flexible(
  max: number,
  client: Redis | Cluster,
  { prefix, remembers }: LimiterPlace,
): Promise<Limiter> {
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
}

async function storeOfExpress(
  max: number,
  client: Redis | Cluster,
  { prefix, isCluster }: LimiterPlace,
): Promise<Limiter> {
  const { RedisStore } = await import('rate-limit-redis');
  const send = async ([name = '', ...args]: string[]): Promise<never> => {
    if (name !== 'SCRIPT') return client.call(name, ...args) as Promise<never>;
    return (await onEveryServer(client, [name, ...args]))[0] as never;
  };
  const store = new RedisStore({
    prefix,
    ...(isCluster
      ? { sendCommandCluster: ({ command }: { command: string[] }) => send(command) }
      : { sendCommand: (...command: string[]) => send(command) }),
  });
  await store.init({ windowMs: WINDOW_MS } as Parameters<typeof store.init>[0]);
  return {
    check: (key) => store.increment(key),
    isAllowed: ({ totalHits }: { totalHits: number }) => totalHits <= max,
  };
}

/** A limiter over a connection of its own, by automatic pipelining of ioredis or, as it is by default, without. */
function over(
  make: MakeOver,
  pipelined = false,
): (max: number, place: LimiterPlace) => Promise<Closing> {
  return async (max, place) => {
    const client = await connectTo(place, pipelined);
    return { ...(await make(max, client, place)), close: () => client.disconnect() };
  };
}

/** Its scripts begin with a flag that a real Redis refuses, so they run without it, under the name that this gives them. */
function upstashOver(client: Redis | Cluster): object {
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
