import { GuardConfigError, safeLogger, type StorageAdapter } from '@frontmcp/guard-core';

import type { VercelKvStorageConfig } from '../create-storage/storage-config.js';
import { undefinedIfNotInstalled } from '../undefined-if-not-installed.js';
import { RedisStorage } from '../redis/redis-storage.js';
import type { UpstashStorageOptions } from '../upstash/create-upstash-storage.js';
import { readServer } from '../upstash/read-server.js';
import {
  UpstashDoor,
  type UpstashClient,
  type UpstashClientOptions,
} from '../upstash/upstash-door.js';

/**
 * A store in Vercel KV, not connected yet; `@vercel/kv` has to be installed. It is Upstash by another name, without
 * publish/subscribe.
 *
 * Vercel has ended Vercel KV and deprecated `@vercel/kv`: new projects take `createUpstashStorage` with the same address and
 * token, which also hands slots over at once.
 *
 * @throws GuardConfigError when the address or the token is missing, or the client library is not installed.
 */
export async function createVercelKvStorage(
  config: VercelKvStorageConfig = {},
  options: UpstashStorageOptions = {},
): Promise<StorageAdapter> {
  const server = readServer(config, 'storage.vercelKv', 'KV_REST_API');
  const module = (await import('@vercel/kv').catch(undefinedIfNotInstalled('@vercel/kv'))) as
    VercelKvModule | undefined;
  if (module === undefined) {
    throw new GuardConfigError(
      'Storage type "vercel-kv" needs a client library; run: npm install @vercel/kv (deprecated; or take type "upstash")',
    );
  }
  const door = new UpstashDoor({
    server,
    timeoutMs: options.timeoutMs ?? 1000,
    enablePubSub: false,
    createClient: (clientOptions) => module.createClient(clientOptions),
  });
  return new RedisStorage(door, safeLogger(options.logger ?? console));
}

interface VercelKvModule {
  createClient(options: UpstashClientOptions): UpstashClient;
}
