/** How long a slot is held for work that outlives its request. */
export const DEFAULT_MAX_OVERRUN_MS = 300_000;

const MAX_TIMER_MS = 2 ** 31 - 1;

/** Calls `release` when `work` has settled, `maxOverrunMs` from now at the latest. */
export function releaseAfter(
  work: Promise<unknown>,
  maxOverrunMs: number,
  release: () => unknown,
): void {
  const timer = setTimeout(release, Math.min(maxOverrunMs, MAX_TIMER_MS));
  unref(timer);
  const settled = (): void => {
    clearTimeout(timer);
    release();
  };
  void work.then(settled, settled);
}

/** Nobody should wait with the end of a process for the timer of a slot. */
function unref(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer) {
    (timer as { unref(): void }).unref();
  }
}
