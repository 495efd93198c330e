import { GuardConfigError } from '@frontmcp/guard-core';

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

/**
 * Checks what is the same for every backend, whoever wrote the configuration.
 *
 * @throws GuardConfigError naming the field and its value.
 */
export function checkStorageConfig({ type, fallback, timeoutMs }: StorageConfig): void {
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
