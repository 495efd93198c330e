/**
 * Throws unless the three can be counted exactly.
 *
 * @throws TypeError when one is not a number. @throws RangeError when one is no integer, negative, or the window is 0; or
 * when `max` × `windowMs` reaches 2^53. Each names the argument and its value.
 */
export function assertWindowRequest(max: number, windowMs: number, cost: number): void {
  if (
    Number.isSafeInteger(max * windowMs) &&
    isCount(max) &&
    isCount(windowMs) &&
    windowMs > 0 &&
    isCount(cost)
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

/** Throws unless `windowMs` is a positive integer. @throws TypeError, RangeError as {@link assertWindowRequest}. */
export function assertWindow(windowMs: number): void {
  assertCount(windowMs, 'windowMs', 1);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
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
