import {
  GuardConfigError,
  safeLogger,
  type GuardLogger,
  type StorageAdapter,
} from '@frontmcp/guard-core';

import { undefinedIfNotInstalled } from '../undefined-if-not-installed.js';
import { RedisStorage } from '../redis/redis-storage.js';
import type { UpstashStorageConfig } from '../create-storage/storage-config.js';
import { readServer } from './read-server.js';
import { UpstashDoor, type UpstashClient, type UpstashClientOptions } from './upstash-door.js';

/** What is not configuration of the server. */
export interface UpstashStorageOptions {
  /** How long one request may take, in ms, 1000 by default. A request that takes longer may still take effect. */
  readonly timeoutMs?: number;
  /** Warned when a message handler throws; `console` by default. */
  readonly logger?: GuardLogger;
}

/**
 * A store in Upstash, which is Redis over HTTP, not connected yet; `@upstash/redis` has to be installed. The same steps, by
 * the same scripts, as on Redis, each sent once.
 *
 * The clock is the server's: read by the script where the server allows it, which `connect` finds out, else sampled with the
 * `TIME` command and behind by less than a round trip.
 *
 * With `enablePubSub`, a channel that is followed is one request that stays open.
 *
 * @throws GuardConfigError when the address or the token is missing, or the client library is not installed.
 */
export async function createUpstashStorage(
  config: UpstashStorageConfig = {},
  options: UpstashStorageOptions = {},
): Promise<StorageAdapter> {
  const server = readServer(config, 'storage.upstash', 'UPSTASH_REDIS_REST');
  const module = (await import('@upstash/redis').catch(
    undefinedIfNotInstalled('@upstash/redis'),
  )) as UpstashModule | undefined;
  if (module === undefined) {
    throw new GuardConfigError(
      'Storage type "upstash" needs a client library; run: npm install @upstash/redis',
    );
  }
  const door = new UpstashDoor({
    server,
    timeoutMs: options.timeoutMs ?? 1000,
    enablePubSub: config.enablePubSub ?? false,
    createClient: (clientOptions) => new module.Redis(clientOptions),
  });
  return new RedisStorage(door, safeLogger(options.logger ?? console));
}

interface UpstashModule {
  readonly Redis: new (options: UpstashClientOptions) => UpstashClient;
}
