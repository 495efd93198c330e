const MINUTE_MS = 60_000;

/** More than passes, on a busy machine, between two calls of a test that have to fall into one window. */
const MARGIN_MS = 2_000;

// Taken before a spec puts others in their place.
const { now } = Date;
const startTimer = setTimeout;

/** How long it is until a minute has begun, at its end; else 0. */
export function msUntilEarly(nowMs: number): number {
  const leftMs = MINUTE_MS - (nowMs % MINUTE_MS);
  return leftMs > MARGIN_MS ? 0 : leftMs;
}

/**
 * Waits for the next minute when this one is about to end. Windows of a minute, the default, begin with the minutes of the clock, and
 * a limit of one call admits the next as soon as a window is over: what is to be refused must not be asked for across that.
 */
export async function earlyInAMinute(): Promise<void> {
  for (let waitMs = msUntilEarly(now()); waitMs > 0; waitMs = msUntilEarly(now())) {
    await new Promise((resolve) => startTimer(resolve, waitMs));
  }
}
