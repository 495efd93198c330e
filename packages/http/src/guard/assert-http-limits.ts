import { assertKnownKeys, GuardConfigError } from '@frontmcp/guard-core';
import { assertCallLimits } from '@frontmcp/guard-manager';

import type { HttpLimits } from './http-guard-options.js';

const LIMITS = ['rateLimit', 'concurrency', 'timeout'] as const;

/**
 * Throws unless the limits of a route can be followed. Keys that are no limits are not looked at.
 *
 * @throws GuardConfigError, TypeError or RangeError that names the value.
 */
export function assertHttpLimits(limits: HttpLimits): void {
  const { entity } = limits;
  if (entity !== undefined && (typeof entity !== 'string' || entity === '')) {
    throw new GuardConfigError(`entity must be a non-empty string, got ${JSON.stringify(entity)}`);
  }
  for (const name of LIMITS) {
    const limit: unknown = limits[name];
    if (limit === undefined || limit === false || (typeof limit === 'object' && limit !== null)) {
      continue;
    }
    throw new GuardConfigError(`${name} must be an object or false, got ${JSON.stringify(limit)}`);
  }
  assertCallLimits(limits);
}

/** `assertHttpLimits` for limits that stand alone: a key that is no limit is an error, too. */
export function assertRouteLimits(limits: HttpLimits): void {
  assertKnownKeys(limits, new Set(['entity', ...LIMITS]), 'the limits of a route');
  assertHttpLimits(limits);
}
