import { GuardConfigError } from '@frontmcp/guard-core';

import { readVariable } from './environment.js';
import type { RedisStorageConfig } from './storage-config.js';

const LARGEST_PORT = 65_535;

/**
 * Where Redis is, as the environment says: `REDIS_URL`, else `REDIS_HOST` with `REDIS_PORT`, `REDIS_USERNAME`,
 * `REDIS_PASSWORD`, `REDIS_DB` and `REDIS_TLS` (`true` or `1`). An empty variable is not set.
 *
 * @throws GuardConfigError when neither is set, naming both, or for a number that cannot be.
 */
export function redisFromEnvironment(): RedisStorageConfig {
  const url = variable('REDIS_URL');
  if (url !== undefined) return { url };
  const host = variable('REDIS_HOST');
  if (host === undefined) {
    throw new GuardConfigError(
      'Storage type "redis" needs storage.redis, or the environment variable REDIS_URL or REDIS_HOST',
    );
  }
  const port = integer('REDIS_PORT', LARGEST_PORT);
  const db = integer('REDIS_DB', Number.MAX_SAFE_INTEGER);
  const username = variable('REDIS_USERNAME');
  const password = variable('REDIS_PASSWORD');
  return {
    config: {
      host,
      ...(port !== undefined && { port }),
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      ...(db !== undefined && { db }),
      ...(isTrue('REDIS_TLS') && { tls: {} }),
    },
  };
}

function variable(name: string): string | undefined {
  const value = readVariable(name);
  return value === '' ? undefined : value;
}

function integer(name: string, largest: number): number | undefined {
  const text = variable(name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= largest) return value;
  throw new GuardConfigError(
    `${name} must be an integer from 0 to ${largest}, got ${JSON.stringify(text)}`,
  );
}

/** @throws GuardConfigError for a word that is no answer: TLS is not left off by a slip. */
function isTrue(name: string): boolean {
  const value = variable(name)?.toLowerCase();
  if (value === undefined || value === 'false' || value === '0') return false;
  if (value === 'true' || value === '1') return true;
  throw new GuardConfigError(`${name} must be true, 1, false or 0, got ${JSON.stringify(value)}`);
}
