/** The longest delay a timer keeps, in ms: it takes a longer one for 1 ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export type Timer = ReturnType<typeof setTimeout>;

/** Milliseconds on this process's clock, which no time synchronization moves. */
export function monotonicNow(): number {
  return performance.now();
}

/** A timer that keeps the process alive. May fire early when the delay is longer than a timer can be. */
export function startTimer(run: () => void, delayMs: number): Timer {
  return setTimeout(run, Math.min(Math.max(Math.ceil(delayMs), 0), MAX_TIMER_MS));
}

/** A timer that lets the process end, where the platform knows such timers. */
export function startIdleTimer(run: () => void, delayMs: number): Timer {
  const timer: unknown = startTimer(run, delayMs);
  if (typeof timer === 'object' && timer !== null && 'unref' in timer) {
    (timer as { unref(): void }).unref();
  }
  return timer as Timer;
}
