/** Throws unless both have the same content: primitives, arrays and plain objects. */
export function assertEqual(actual: unknown, expected: unknown, what: string): void {
  if (isEqual(actual, expected)) return;
  throw new Error(`${what}: expected ${show(expected)}, got ${show(actual)}`);
}

/**
 * Throws unless a time to live, in seconds, is one of `ttlMs` that was set at some time in the last `elapsedMs`: seconds are rounded
 * up, and null when it may be over.
 */
export function assertTtl(
  seconds: number | null,
  ttlMs: number,
  elapsedMs: number,
  what: string,
): void {
  const most = Math.ceil(ttlMs / 1000);
  const least = Math.ceil((ttlMs - elapsedMs) / 1000);
  if (seconds === null ? least <= 0 : seconds >= least && seconds <= most) return;
  assertEqual(seconds, most, what);
}

/** Throws with `what` unless `condition` holds. */
export function assert(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

/** Throws unless the call rejects, with an error of that name; a call that throws instead does not pass. */
export async function assertRejects(
  call: () => Promise<unknown>,
  errorName: string,
  what: string,
): Promise<void> {
  const outcome = await call().then(
    (value) => `resolved to ${show(value)}`,
    (error: unknown) => (error instanceof Error ? error.name : show(error)),
  );
  assertEqual(outcome, errorName, what);
}

function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => isEqual((a as never)[key], (b as never)[key]))
  );
}

function show(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : showOther(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function showOther(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
