import { startRedis, startUpstashBridge } from '@frontmcp/guard-services';
import type { Store } from './find-snippets.ts';

/** Real servers on free ports, for the snippets that need one. */
export interface Stores {
  /** Empties the store, and returns the variables by which a snippet finds it. */
  prepare(store: Store): Promise<NodeJS.ProcessEnv>;
  /** Whether anything has reached the store since it was prepared. */
  asked(store: Store): Promise<boolean>;
  /** Resolves when both servers are gone. */
  stop(): Promise<void>;
}

/** Starts a redis-server, and what stands for Upstash in front of it. */
export async function startStores(): Promise<Stores> {
  const redis = await startRedis();
  const bridge = await startUpstashBridge(redis).catch(async (error: unknown) => {
    await redis.stop();
    throw error;
  });
  const variables = {
    redis: { REDIS_URL: redis.url },
    upstash: { UPSTASH_REDIS_REST_URL: bridge.url, UPSTASH_REDIS_REST_TOKEN: bridge.token },
  };
  return {
    prepare: async (store) => {
      await redis.call('FLUSHALL');
      await redis.call('CONFIG', 'RESETSTAT');
      bridge.requests.reset();
      return variables[store];
    },
    asked: async (store) => {
      if (store === 'upstash') return bridge.requests.count > 0;
      // The call that resets these counts is in them, and the one that reads them is not.
      return /^cmdstat_(?!config)/m.test(String(await redis.call('INFO', 'commandstats')));
    },
    stop: async () => {
      await Promise.all([bridge.stop(), redis.stop()]);
    },
  };
}
