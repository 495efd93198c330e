import { GuardConfigError } from '@frontmcp/guard-core';

import { assertOptions } from '../assert-options.js';
import { assertTimeoutMs } from '../assert-timeout-ms.js';
import { assertFallback } from '../storage-fallback.js';
import type { DetectedBackend } from './detect-backend.js';
import type { BackendType, StorageConfig, StorageType } from './storage-config.js';

const TYPES: readonly StorageType[] = [
  'auto',
  'memory',
  'redis',
  'upstash',
  'vercel-kv',
  'cloudflare-kv',
];

/** Where the options of a backend stand. `memory` is not here: it may be given with every type, for the fallback. */
const SECTION_OF = {
  redis: 'redis',
  upstash: 'upstash',
  vercelKv: 'vercel-kv',
  cloudflareKv: 'cloudflare-kv',
} as const satisfies Partial<Record<keyof StorageConfig, BackendType>>;

const KNOWN: ReadonlySet<string> = new Set<keyof StorageConfig>([
  'type',
  'redis',
  'upstash',
  'vercelKv',
  'cloudflareKv',
  'memory',
  'fallback',
  'timeoutMs',
]);

type Section = keyof typeof SECTION_OF | 'memory';
type KeysOf<S extends Section> = ReadonlySet<keyof NonNullable<StorageConfig[S]>>;

/** The options of each backend. What is in `redis.config`, `cluster` and `sentinel` is the client library's to check. */
const KNOWN_IN: { readonly [S in Section]: KeysOf<S> } = {
  memory: new Set(['maxEntries']),
  redis: new Set(['url', 'config', 'client', 'cluster', 'sentinel']),
  upstash: new Set(['url', 'token', 'enablePubSub']),
  vercelKv: new Set(['url', 'token']),
  cloudflareKv: new Set(['namespace']),
};

/**
 * Checks what is the same for every backend, whoever wrote the configuration.
 *
 * @throws GuardConfigError naming the field and its value, or a key that nobody reads.
 */
export function checkStorageConfig(config: StorageConfig): void {
  assertOptions(config, KNOWN, 'storage');
  for (const section of Object.keys(KNOWN_IN) as Section[]) {
    if (config[section] === undefined) continue;
    assertOptions(config[section], KNOWN_IN[section], `storage.${section}`);
  }
  const { type, fallback, timeoutMs } = config;
  if (type !== undefined && !TYPES.includes(type)) {
    throw new GuardConfigError(
      `storage.type must be one of ${TYPES.map(quote).join(', ')}, got ${quote(type)}`,
    );
  }
  if (fallback !== undefined) assertFallback(fallback, 'storage.fallback');
  if (timeoutMs !== undefined) assertTimeoutMs(timeoutMs, 'storage.timeoutMs');
}

/**
 * Checks that no options of another backend than the chosen one are given: they would have no effect.
 *
 * @throws GuardConfigError naming the options and what chose the backend.
 */
export function checkStorageSections(
  config: StorageConfig,
  { type, pickedBy }: DetectedBackend,
): void {
  const chosen =
    (config.type ?? 'auto') !== 'auto'
      ? `storage.type is "${type}"`
      : `storage.type is "auto" and ${pickedBy ?? 'no environment variable'} picks "${type}"`;
  for (const section of Object.keys(SECTION_OF) as (keyof typeof SECTION_OF)[]) {
    if (config[section] === undefined || SECTION_OF[section] === type) continue;
    throw new GuardConfigError(
      `storage.${section} is given, but ${chosen}; set storage.type to "${SECTION_OF[section]}" or leave storage.${section} out`,
    );
  }
}

function quote(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
