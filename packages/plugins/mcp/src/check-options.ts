import { assertKnownKeys, GuardConfigError } from '@frontmcp/guard-core';
import type { GuardManager } from '@frontmcp/guard-manager';
import { parseGuardConfig } from '@frontmcp/guard-manager/schemas';

import type { McpCallOptions, McpLimits } from './mcp-guard-options.js';

const LIMITS = ['rateLimit', 'concurrency', 'timeout'];
const FIELD_OF: Readonly<Record<string, string>> = {
  defaultRateLimit: 'rateLimit',
  defaultConcurrency: 'concurrency',
  defaultTimeout: 'timeout',
};

/** The names of {@link McpCallOptions}. */
export const callOptionKeys: readonly (keyof McpCallOptions)[] = [
  'context',
  'trustProxy',
  'trustedProxyDepth',
  'failOpen',
  'maxOverrunMs',
  'onRefused',
];

/** The names of {@link McpLimits}. */
export const limitKeys: readonly string[] = LIMITS;

/** Throws a TypeError unless `guard` is a guard manager. */
export function assertGuard(guard: unknown, where: string): asserts guard is GuardManager {
  const { run, config } = (guard ?? {}) as Partial<GuardManager>;
  if (typeof run === 'function' && typeof config === 'object') return;
  const hint = guard instanceof Promise ? ', await createGuardManager first' : '';
  throw new TypeError(`${where} needs a guard manager as guard, got ${typeof guard}${hint}`);
}

/**
 * Throws unless limits can be followed.
 *
 * @throws GuardConfigError naming the field and its value.
 */
export function assertLimits(limits: unknown, where: string): void {
  if (limits === false || limits === undefined) return;
  if (typeof limits !== 'object' || limits === null) {
    throw new GuardConfigError(`${where} must be an object or false, got ${typeof limits}`);
  }
  assertKnownKeys(limits, new Set(LIMITS), where);
  const { rateLimit, concurrency, timeout } = limits as McpLimits;
  try {
    parseGuardConfig({
      enabled: true,
      defaultRateLimit: rateLimit === false ? undefined : rateLimit,
      defaultConcurrency: concurrency === false ? undefined : concurrency,
      defaultTimeout: timeout === false ? undefined : timeout,
    });
  } catch (error) {
    if (!(error instanceof GuardConfigError)) throw error;
    const faults = error.message
      .replace(/^[^:]*: /, '')
      .replace(
        /\bdefault(?:RateLimit|Concurrency|Timeout)\b/g,
        (field) => FIELD_OF[field] ?? field,
      );
    throw new GuardConfigError(`${where} is invalid: ${faults}`, { cause: error.cause });
  }
}

/**
 * Throws unless options of every call can be followed.
 *
 * @throws GuardConfigError naming the option and its value.
 */
export function assertCallOptions(options: McpCallOptions, where: string): void {
  const { trustedProxyDepth, maxOverrunMs, context, onRefused } = options;
  const refuse = (name: string, must: string): never => {
    const value = (options as Readonly<Record<string, unknown>>)[name];
    throw new GuardConfigError(`${name} of ${where} must be ${must}, got ${String(value)}`);
  };
  if (
    trustedProxyDepth !== undefined &&
    !(Number.isInteger(trustedProxyDepth) && trustedProxyDepth > 0)
  ) {
    refuse('trustedProxyDepth', 'a positive integer');
  }
  if (
    maxOverrunMs !== undefined &&
    maxOverrunMs !== Infinity &&
    !(maxOverrunMs >= 0 && maxOverrunMs < 2 ** 31)
  ) {
    refuse('maxOverrunMs', 'from 0 to 2147483647, or Infinity');
  }
  if (context !== undefined && typeof context !== 'function') refuse('context', 'a function');
  if (onRefused !== undefined && typeof onRefused !== 'function') refuse('onRefused', 'a function');
  for (const name of ['trustProxy', 'failOpen'] as const) {
    if (options[name] !== undefined && typeof options[name] !== 'boolean')
      refuse(name, 'a boolean');
  }
}
