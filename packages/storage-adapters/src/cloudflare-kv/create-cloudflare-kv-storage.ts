import {
  GuardConfigError,
  safeLogger,
  type GuardLogger,
  type PlainStorage,
} from '@frontmcp/guard-core';

import { assertOptions } from '../assert-options.js';
import type { CloudflareKvStorageConfig } from '../create-storage/storage-config.js';
import { typeName } from '../type-name.js';
import { CloudflareKvStorage } from './cloudflare-kv-storage.js';
import { isKvNamespace, type KvNamespaceBinding } from './kv-binding.js';
import { KvEntries } from './kv-entries.js';
import { MergedWrites } from './merged-writes.js';

/** What is not configuration. */
export interface CloudflareKvStorageOptions {
  /**
   * How far apart two writes of one key are, in ms, 1000 by default, because KV refuses more. 0 writes at once, for a KV that takes
   * it, such as a local one.
   */
  readonly writeIntervalMs?: number;
  /**
   * Keeps a request going until a write that nobody waits for is made: `waitUntil` of `cloudflare:workers`. Without it, the
   * runtime drops such a write with the request; it is then made by the next write of the key, if there is one.
   */
  readonly waitUntil?: (written: Promise<void>) => void;
  /** Warned when a write that nobody waits for failed; `console` by default. */
  readonly logger?: GuardLogger;
}

const KNOWN_CONFIG: ReadonlySet<string> = new Set<keyof CloudflareKvStorageConfig>(['namespace']);
const KNOWN: ReadonlySet<string> = new Set<keyof CloudflareKvStorageOptions>([
  'writeIntervalMs',
  'waitUntil',
  'logger',
]);
const MAX_INTERVAL_MS = 60_000;

/**
 * A store in a namespace of Cloudflare KV, with plain calls only. KV is made for values that are read often and written
 * rarely, so this store **only approximates**, and where exact limits matter Durable Objects are the store to use.
 *
 * What it promises: an expired key is absent, to the millisecond, although KV keeps a key for at least a minute. Any
 * well-formed key is a key: one that KV cannot have as a name is named by its digest. Calls of one store that follow one another
 * see each other's writes.
 *
 * What it cannot promise:
 *
 * - **`incr`, `decr`, `incrBy`, and `set` with `ifNotExists` or `ifExists` are not atomic.** They read and then write: of two
 *   isolates that do so at a time, one write is lost, and both are told that they did it. A limit admits more than it should.
 * - **Reads are old**, by up to a minute and more in another location, also of a key that was absent.
 * - **A key is written once a second at most.** Later writes within the second are merged, and lost when the isolate ends before.
 * - `mset`, `mdelete` and `mget` are one call for each key, and not atomic over all of them.
 * - There is no `execute` and no compare-and-delete, so a rate limit counts by plain calls, and a semaphore is refused with
 *   `GuardStorageUnsupportedError`: two holders of one slot would be the rule. No publish and subscribe either.
 *
 * Usable without `connect`. `disconnect` writes what is left to write; after it calls are refused until it is connected again.
 * Calls are not bounded in time and not fallen back from: `createStorage` and `connectStorage` add both.
 *
 * @throws GuardConfigError unless `namespace` is the binding of a KV namespace, for an unknown key or option, and for an interval
 * out of range.
 */
export function createCloudflareKvStorage(
  config: CloudflareKvStorageConfig | undefined,
  options: CloudflareKvStorageOptions = {},
): PlainStorage {
  const { namespace } = checkConfig(config);
  const { writeIntervalMs: intervalMs, waitUntil, logger } = checkOptions(options);
  return new CloudflareKvStorage(
    namespace,
    new MergedWrites({
      entries: new KvEntries(namespace),
      intervalMs,
      waitUntil,
      onLost: (error, key) => {
        logger.warn(`A write of key "${key.slice(0, 64)}" to Cloudflare KV is lost`, error);
      },
    }),
  );
}

function checkConfig(config: CloudflareKvStorageConfig | undefined): {
  readonly namespace: KvNamespaceBinding;
} {
  if (config !== undefined) {
    assertOptions(config, KNOWN_CONFIG, 'the config of createCloudflareKvStorage');
    const namespace: unknown = config.namespace;
    if (isKvNamespace(namespace)) return { namespace };
  }
  throw new GuardConfigError(
    `Cloudflare KV needs the binding of a namespace, as in { namespace: env.GUARD_KV }, or storage.cloudflareKv.namespace for createStorage; got ${typeName(config?.namespace)}`,
  );
}

function checkOptions(options: CloudflareKvStorageOptions): Required<CloudflareKvStorageOptions> {
  assertOptions(options, KNOWN, 'the options of createCloudflareKvStorage');
  const { writeIntervalMs = 1000, waitUntil = () => undefined, logger = console } = options;
  if (!(writeIntervalMs >= 0 && writeIntervalMs <= MAX_INTERVAL_MS)) {
    throw new GuardConfigError(
      `writeIntervalMs must be between 0 and ${MAX_INTERVAL_MS}, got ${String(writeIntervalMs)}`,
    );
  }
  if (typeof waitUntil !== 'function') {
    throw new GuardConfigError(`waitUntil must be a function, got ${typeName(waitUntil)}`);
  }
  return { writeIntervalMs, waitUntil, logger: safeLogger(logger) };
}
