import { freePort } from '../process/free-port.ts';
import { launchRedis, PortTakenError } from './launch-redis.ts';
import type { RedisConfig } from './redis-config.ts';
import type { RedisServer } from './redis-server.ts';

export interface RedisOptions {
  /** Directives of redis.conf beyond the port, the folder and that nothing is saved. */
  readonly config?: RedisConfig;
  /** Default: a free one. */
  readonly port?: number;
  /** Serves TLS only, with a certificate made for this server. */
  readonly tls?: boolean;
}

const attempts = 10;

/**
 * Starts a redis-server; it answers when this resolves.
 *
 * @throws if there is no redis-server, or it ends at once: with its log.
 * @throws if `port` is given and taken.
 */
export async function startRedis(options: RedisOptions = {}): Promise<RedisServer> {
  const { port } = options;
  if (port !== undefined) return launchRedis({ ...options, port });
  return onFreePort((free) => launchRedis({ ...options, port: free }));
}

/** Launches on a free port, and on another one as long as some process is faster to take it. */
export async function onFreePort<T>(launch: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await launch(await freePort());
    } catch (error) {
      if (!(error instanceof PortTakenError) || attempt === attempts) throw error;
    }
  }
}
