/** What the limiters and semaphores are measured against: the least code that does the job in one process. */

export interface Verdict {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly resetMs: number;
}

/** A sliding window counter on one `Map`, which keeps every key for ever. */
export function slidingCounter(): (key: string, max: number, windowMs: number) => Promise<Verdict> {
  const states = new Map<string, { start: number; previous: number; current: number }>();
  // eslint-disable-next-line @typescript-eslint/require-await -- a limiter answers with a promise
  return async (key, max, windowMs) => {
    const now = Date.now();
    const start = now - (now % windowMs);
    let state = states.get(key);
    if (state === undefined) {
      state = { start, previous: 0, current: 0 };
      states.set(key, state);
    } else if (state.start !== start) {
      state.previous = state.start === start - windowMs ? state.current : 0;
      state.current = 0;
      state.start = start;
    }
    const resetMs = start + windowMs - now;
    const before = Math.floor((state.previous * resetMs) / windowMs);
    const allowed = before + state.current < max;
    if (allowed) state.current++;
    return { allowed, remaining: Math.max(0, max - before - state.current), resetMs };
  };
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
