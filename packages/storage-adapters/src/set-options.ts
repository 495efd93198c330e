import type { SetOptions } from '@frontmcp/guard-core';

/**
 * The time to live that the options of a `set` ask for, in ms; undefined when the key is to live for ever.
 *
 * @throws RangeError unless the time is a positive integer.
 */
export function ttlMsOf(options: SetOptions | undefined): number | undefined {
  if (options?.ttlMs !== undefined) return positiveInteger(options.ttlMs, 'ttlMs');
  if (options?.ttlSeconds !== undefined) {
    return positiveInteger(options.ttlSeconds, 'ttlSeconds') * 1000;
  }
  return undefined;
}

/**
 * Seconds as given to `expire`, in ms, rounded up.
 *
 * @throws RangeError unless above 0 and finite.
 */
export function expireMsOf(ttlSeconds: number): number {
  if (Number.isFinite(ttlSeconds) && ttlSeconds > 0) return Math.ceil(ttlSeconds * 1000);
  throw new RangeError(`ttlSeconds must be above 0 and finite, got ${String(ttlSeconds)}`);
}

function positiveInteger(value: number, name: string): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new RangeError(`${name} must be a positive integer, got ${String(value)}`);
}
