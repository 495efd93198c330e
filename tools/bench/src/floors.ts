/** What the limiters and semaphores are measured against: the least code that does the job in one process. */

export interface Verdict {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly resetMs: number;
}

/** A verdict that says as much as guard's answer. */
export interface FullVerdict extends Verdict {
  readonly limit: number;
  readonly windowMs: number;
  readonly cost: number;
  readonly windowStartMs: number;
  readonly previousCount: number;
  readonly currentCount: number;
}

type Counter<V> = (key: string, max: number, windowMs: number) => Promise<V>;

interface Counts {
  start: number;
  previous: number;
  current: number;
}

/** A sliding window counter on one `Map`, which keeps every key for ever. */
export function slidingCounter(): Counter<Verdict> {
  const states = new Map<string, Counts>();
  // eslint-disable-next-line @typescript-eslint/require-await -- a limiter answers with a promise
  return async (key, max, windowMs) => {
    const now = Date.now();
    const start = now - (now % windowMs);
    const state = countsOf(states, key, start, windowMs);
    const resetMs = start + windowMs - now;
    const before = Math.floor((state.previous * resetMs) / windowMs);
    const allowed = before + state.current < max;
    if (allowed) state.current++;
    return { allowed, remaining: Math.max(0, max - before - state.current), resetMs };
  };
}

/** {@link slidingCounter} with the nine fields of guard's answer. */
export function fullSlidingCounter(): Counter<FullVerdict> {
  const states = new Map<string, Counts>();
  // eslint-disable-next-line @typescript-eslint/require-await -- a limiter answers with a promise
  return async (key, limit, windowMs) => {
    const now = Date.now();
    const windowStartMs = now - (now % windowMs);
    const state = countsOf(states, key, windowStartMs, windowMs);
    const resetMs = windowStartMs + windowMs - now;
    const { previous: previousCount } = state;
    const before = Math.floor((previousCount * resetMs) / windowMs);
    const allowed = before + state.current < limit;
    if (allowed) state.current++;
    const { current: currentCount } = state;
    const remaining = Math.max(0, limit - before - currentCount);
    return {
      allowed,
      remaining,
      resetMs,
      limit,
      windowMs,
      cost: 1,
      windowStartMs,
      previousCount,
      currentCount,
    };
  };
}

/** The counts of a key in the window that began at `start`. */
function countsOf(
  states: Map<string, Counts>,
  key: string,
  start: number,
  windowMs: number,
): Counts {
  let state = states.get(key);
  if (state === undefined) {
    state = { start, previous: 0, current: 0 };
    states.set(key, state);
  } else if (state.start !== start) {
    state.previous = state.start === start - windowMs ? state.current : 0;
    state.current = 0;
    state.start = start;
  }
  return state;
}

/** A semaphore made of a counter and a queue, without leases, limits on the queue or a way to give up. */
export function countingSemaphore(max: number): { acquire(): Promise<void>; release(): void } {
  const queue: (() => void)[] = [];
  let free = max;
  return {
    async acquire() {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => queue.push(resolve));
    },
    release() {
      const next = queue.shift();
      if (next) next();
      else free++;
    },
  };
}
