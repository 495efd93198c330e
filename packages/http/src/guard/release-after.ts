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
