/** `setTimeout`, but the timer never keeps the process alive. Clear it with `clearTimeout`. */
export function startUnrefTimer(run: () => void, delayMs: number): ReturnType<typeof setTimeout> {
  const timer: unknown = setTimeout(run, delayMs);
  if (typeof timer === 'object' && timer !== null && 'unref' in timer) {
    (timer as { unref(): void }).unref();
  }
  return timer as ReturnType<typeof setTimeout>;
}
