import { assertKnownKeys } from '@frontmcp/guard-core';

import {
  DEFAULT_WINDOW_MS,
  type ConcurrencyConfig,
  type RateLimitConfig,
  type TimeoutConfig,
} from '../guard-config.js';

/** The limits that a call brings of its own, as they came. */
export interface CallOptions {
  /** `false` lifts the default; undefined leaves it. */
  readonly rateLimit?: RateLimitConfig | false | undefined;
  /** `false` lifts the default; undefined leaves it. */
  readonly concurrency?: ConcurrencyConfig | false | undefined;
  /** `false` lifts the default; undefined leaves it. */
  readonly timeout?: TimeoutConfig | false | undefined;
}

const ENTER_KEYS = [
  'context',
  'rateLimit',
  'concurrency',
  'timeout',
  'signal',
  'under',
  'failOpen',
];
const KNOWN = {
  enter: new Set(ENTER_KEYS),
  run: new Set([...ENTER_KEYS, 'maxOverrunMs', 'releaseOnTimeout']),
  rateLimit: new Set(['maxRequests', 'windowMs', 'partitionBy']),
  concurrency: new Set(['maxConcurrent', 'queueTimeoutMs', 'maxQueue', 'partitionBy']),
  timeout: new Set(['executeMs']),
} as const;

/**
 * Throws unless the options of a call can be followed, before anything is counted.
 *
 * @throws GuardConfigError for an unknown key. TypeError or RangeError for a value, naming it.
 */
export function assertCallOptions(options: CallOptions, method: 'enter' | 'run'): void {
  assertKnownKeys(options, KNOWN[method], `the options of ${method}`);
  if (options.rateLimit) assertRateLimitKeys(options.rateLimit);
  if (options.concurrency) assertConcurrency(options.concurrency);
  if (options.timeout) assertTimeout(options.timeout);
}

/**
 * Throws unless the limits of a call can be followed, values and all: for limits that are known before the calls are. `enter` and
 * `run` look at those of every call themselves.
 *
 * @throws GuardConfigError for an unknown key. TypeError or RangeError for a value, naming it.
 */
export function assertCallLimits(limits: CallOptions): void {
  const { rateLimit, concurrency, timeout } = limits;
  if (rateLimit) {
    assertRateLimitKeys(rateLimit);
    assertPositiveInteger(rateLimit.maxRequests, 'maxRequests');
    assertPositiveInteger(rateLimit.windowMs ?? DEFAULT_WINDOW_MS, 'windowMs');
  }
  if (concurrency) {
    assertConcurrency(concurrency);
    assertPositiveInteger(concurrency.maxConcurrent, 'maxConcurrent');
  }
  if (timeout) assertTimeout(timeout);
}

/** Throws when a rate limit has a key that nobody reads. The limiter checks its values. */
export function assertRateLimitKeys(config: RateLimitConfig): void {
  assertKnownKeys(config, KNOWN.rateLimit, 'rateLimit');
}

/** Throws unless a concurrency limit can be followed. */
export function assertConcurrency(config: ConcurrencyConfig): void {
  assertKnownKeys(config, KNOWN.concurrency, 'concurrency');
  assertAtLeast(config.queueTimeoutMs ?? 0, 0, 'queueTimeoutMs');
  assertAtLeast(config.maxQueue ?? 0, 0, 'maxQueue');
}

function assertTimeout(config: TimeoutConfig): void {
  assertKnownKeys(config, KNOWN.timeout, 'timeout');
  assertAtLeast(config.executeMs, 0, 'executeMs');
  if (config.executeMs === 0) throw new RangeError('executeMs must be positive, got 0');
}

function assertPositiveInteger(value: unknown, name: string): void {
  if (typeof value !== 'number') {
    throw new TypeError(`${name} must be a number, got ${typeof value}`);
  }
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new RangeError(`${name} must be a positive integer, got ${String(value)}`);
  }
}

function assertAtLeast(value: unknown, least: number, name: string): void {
  if (typeof value !== 'number') {
    throw new TypeError(`${name} must be a number, got ${typeof value}`);
  }
  if (!(value >= least))
    throw new RangeError(`${name} must be at least ${String(least)}, got ${String(value)}`);
}
