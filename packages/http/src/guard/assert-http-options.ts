import { assertKnownKeys, GuardConfigError } from '@frontmcp/guard-core';
import { assertMaxOverrunMs } from '@frontmcp/guard-manager';

import { createClientIpResolver } from '../client-ip/create-client-ip-resolver.js';
import { assertHttpLimits } from './assert-http-limits.js';
import { httpGuardKeys, type HttpGuardOptions } from './http-guard-options.js';

/** Those of the layers are among them. */
const FUNCTIONS = ['limits', 'context', 'skip', 'onRefused', 'remoteAddress'];

/**
 * Throws unless the options of a layer can be followed, but for the guard and the styles of the headers.
 *
 * @param layer What is named in the error.
 * @param ownKeys The options of the layer itself.
 * @throws GuardConfigError, or TypeError or RangeError for limits, that names the option.
 */
export function assertHttpOptions<Input extends readonly unknown[]>(
  options: HttpGuardOptions<Input>,
  layer: string,
  ownKeys: readonly string[],
): void {
  assertKnownKeys(options, new Set([...httpGuardKeys, ...ownKeys]), `the options of ${layer}`);
  assertHttpLimits(options);
  const { failOpen, maxOverrunMs, trustProxy, trustedProxyDepth, trustedProxies, proxyHeader } =
    options;
  for (const name of FUNCTIONS) {
    assertType(options[name as keyof HttpGuardOptions<Input>], 'function', name);
  }
  assertType(failOpen, 'boolean', 'failOpen');
  if (maxOverrunMs !== undefined) assertMaxOverrunMs(maxOverrunMs);
  // What the configuration of the guard says of proxies comes later when the guard does.
  createClientIpResolver({ trustProxy, trustedProxyDepth, trustedProxies, proxyHeader });
}

function assertType(value: unknown, type: 'function' | 'boolean', name: string): void {
  if (value === undefined || typeof value === type) return;
  throw new GuardConfigError(`${name} must be a ${type}, got ${JSON.stringify(value)}`);
}
