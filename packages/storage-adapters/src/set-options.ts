import type { SetEntry, SetOptions } from '@frontmcp/guard-core';

/**
 * The time to live that the options of a `set` ask for, in ms; undefined when the key is to live for ever.
 *
 * @throws RangeError unless the time is a positive integer, and a safe one in ms.
 */
export function ttlMsOf(options: SetOptions | undefined): number | undefined {
  if (options?.ttlMs !== undefined) return positiveInteger(options.ttlMs, 'ttlMs');
  if (options?.ttlSeconds !== undefined) {
    return safeMs(positiveInteger(options.ttlSeconds, 'ttlSeconds'));
  }
  return undefined;
}

/**
 * Throws unless every entry of an `mset` is to be written whatever is there.
 *
 * @throws TypeError naming the key and the condition.
 */
export function assertUnconditional(entries: readonly SetEntry[]): void {
  for (const { key, options } of entries) {
    const condition = (['ifNotExists', 'ifExists'] as const).find(
      (name) => options?.[name] === true,
    );
    if (condition === undefined) continue;
    throw new TypeError(
      `mset has no conditions, and storage key "${key.slice(0, 64)}" comes with ${condition}`,
    );
  }
}

/**
 * Seconds as given to `expire`, in ms, rounded up.
 *
 * @throws RangeError unless above 0 and finite, and a safe integer in ms.
 */
export function expireMsOf(ttlSeconds: number): number {
  if (Number.isFinite(ttlSeconds) && ttlSeconds > 0) return safeMs(ttlSeconds);
  throw new RangeError(`ttlSeconds must be above 0 and finite, got ${String(ttlSeconds)}`);
}

function safeMs(ttlSeconds: number): number {
  const ms = Math.ceil(ttlSeconds * 1000);
  if (Number.isSafeInteger(ms)) return ms;
  throw new RangeError(`ttlSeconds must be a safe integer in ms, got ${String(ttlSeconds)}`);
}

function positiveInteger(value: number, name: string): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new RangeError(`${name} must be a positive integer, got ${String(value)}`);
}
