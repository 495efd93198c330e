import { GuardConfigError } from '@frontmcp/guard-core';

import { undefinedIfNotInstalled } from '../undefined-if-not-installed.js';

/** What is used of the module `ioredis`. */
export interface IoredisModule {
  readonly Redis: new (...args: unknown[]) => unknown;
  readonly Cluster: new (nodes: readonly unknown[], options: object) => unknown;
}

/** What is used of the module `redis`. */
export interface NodeRedisModule {
  createClient(options: object): unknown;
  createCluster(options: object): unknown;
}

/** The client library that is installed: ioredis, where both are. */
export type RedisLibrary =
  | { readonly name: 'ioredis'; readonly module: IoredisModule }
  | { readonly name: 'redis'; readonly module: NodeRedisModule };

/**
 * Imports the client library that is installed.
 *
 * @throws GuardConfigError when neither is, naming both.
 */
export async function loadRedisLibrary(): Promise<RedisLibrary> {
  const ioredis = await import('ioredis').catch(undefinedIfNotInstalled('ioredis'));
  if (ioredis !== undefined) return { name: 'ioredis', module: namedIoredis(ioredis) };
  const redis = await import('redis').catch(undefinedIfNotInstalled('redis'));
  if (redis !== undefined) return { name: 'redis', module: redis };
  throw new GuardConfigError(
    'Storage type "redis" needs a client library, and none is installed; run: npm install ioredis (or: npm install redis)',
  );
}

/** The first versions of ioredis 5 export their class as the default alone. */
function namedIoredis(module: object): IoredisModule {
  const {
    Cluster,
    Redis,
    default: unnamed,
  } = module as Pick<IoredisModule, 'Cluster'> &
    Partial<IoredisModule> & { readonly default: IoredisModule['Redis'] };
  return { Cluster, Redis: Redis ?? unnamed };
}
