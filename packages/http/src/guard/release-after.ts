const MAX_TIMER_MS = 2 ** 31 - 1;

/** How long a slot is held for work that outlives its request. */
export const DEFAULT_MAX_OVERRUN_MS = 300_000;

/**
 * Throws unless work may overrun that long.
 *
 * @throws RangeError unless from 0 to 2^31 − 1, or Infinity.
 */
export function assertMaxOverrunMs(maxOverrunMs: number): void {
  const isNumber = typeof maxOverrunMs === 'number';
  const isInRange = maxOverrunMs >= 0 && maxOverrunMs <= MAX_TIMER_MS;
  if (isNumber && (isInRange || maxOverrunMs === Infinity)) return;
  throw new RangeError(
    `maxOverrunMs must be from 0 to ${MAX_TIMER_MS}, or Infinity, got ${String(maxOverrunMs)}`,
  );
}

/** Calls `release` when `work` has settled, `maxOverrunMs` from now at the latest. Nobody waits for that with the end of a process. */
export function releaseAfter(
  work: Promise<unknown>,
  maxOverrunMs: number,
  release: () => unknown,
): void {
  const timer = maxOverrunMs === Infinity ? undefined : setTimeout(release, maxOverrunMs);
  unref(timer);
  const settled = (): void => {
    clearTimeout(timer);
    release();
  };
  void work.then(settled, settled);
}

function unref(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer) {
    (timer as { unref(): void }).unref();
  }
}
