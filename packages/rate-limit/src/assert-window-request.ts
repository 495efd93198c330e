import type { RateLimitResult } from './rate-limit-result.js';

/**
 * Throws unless the three can be counted exactly.
 *
 * @throws TypeError when one is not a number. @throws RangeError when one is no integer, negative, or the window is 0; or
 * when `max` × `windowMs` reaches 2^53. Each names the argument and its value.
 */
export function assertWindowRequest(max: number, windowMs: number, cost: number): void {
  if (
    isCount(max) &&
    isCount(windowMs) &&
    windowMs > 0 &&
    isCount(cost) &&
    Number.isSafeInteger(max * windowMs)
  ) {
    return;
  }
  assertCount(max, 'maxRequests', 0);
  assertWindow(windowMs);
  assertCount(cost, 'cost', 0);
  throw new RangeError(
    `maxRequests × windowMs must be under 2^53, got ${String(max)} × ${String(windowMs)}`,
  );
}

/**
 * Throws unless `counted` can be an answer of a check: a receipt that says what to take back.
 *
 * @throws TypeError naming what is wrong with it.
 */
export function assertReceipt(counted: RateLimitResult): void {
  if (!isReceipt(counted)) {
    throw new TypeError('refund takes what check answered, and got something else');
  }
}

/**
 * Throws unless a part of what was counted is one.
 *
 * @throws TypeError when it is not a number. @throws RangeError when it is no integer, negative, or more than was counted.
 */
export function assertRefund(cost: number, counted: number): void {
  assertCount(cost, 'cost', 0);
  if (cost <= counted) return;
  throw new RangeError(
    `cost of a refund must be at most what was counted, ${counted}, got ${cost}`,
  );
}

function isReceipt(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { allowed, cost, windowMs, windowStartMs } = value as Partial<RateLimitResult>;
  return (
    typeof allowed === 'boolean' &&
    isCount(cost) &&
    isCount(windowMs) &&
    isCount(windowStartMs) &&
    windowStartMs % windowMs === 0
  );
}

/** Throws unless `windowMs` is a positive integer. @throws TypeError, RangeError as {@link assertWindowRequest}. */
export function assertWindow(windowMs: number): void {
  assertCount(windowMs, 'windowMs', 1);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function assertCount(value: unknown, name: string, least: number): void {
  if (typeof value !== 'number') {
    throw new TypeError(`${name} must be a number, got ${typeof value}`);
  }
  if (!Number.isSafeInteger(value) || value < least) {
    const wanted = least === 0 ? 'a non-negative integer' : 'a positive integer';
    throw new RangeError(`${name} must be ${wanted}, got ${String(value)}`);
  }
}
