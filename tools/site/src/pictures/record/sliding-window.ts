import {
  createMemoryStorage,
  SlidingWindowRateLimiter,
  type RateLimitResult,
} from '@frontmcp/guard';
import type { SlidingWindowRun, WindowCall } from '../runs.ts';
import { Clock } from './clock.ts';

const limit = 10;
const windowMs = 2_000;
const durationMs = 3 * windowMs;

/** A client that asks at twice its limit, and one that asks for all of it just before and just after an edge. */
export async function recordSlidingWindow(): Promise<SlidingWindowRun> {
  const steady = Array.from({ length: durationMs / 100 }, (_, call) => call * 100);
  const before = Array.from({ length: limit }, (_, call) => windowMs - 420 + call * 40);
  const burst = [...before, ...before.map((atMs) => atMs + 440)];
  const later = [3_000, 3_300, 3_600, 4_200, 4_500, 4_800, 5_100, 5_400, 5_700];
  const clock = await Clock.atWindow(windowMs);
  const clients = await Promise.all([
    recordClient('every 100 ms, twice its limit', steady, clock),
    recordClient('10 times before an edge, 10 times after it', [...burst, ...later], clock),
  ]);
  return { limit, windowMs, durationMs, clients };
}

async function recordClient(
  asks: string,
  times: readonly number[],
  clock: Clock,
): Promise<SlidingWindowRun['clients'][number]> {
  const limiter = new SlidingWindowRateLimiter(createMemoryStorage());
  const fixed = new FixedWindow();
  const calls: WindowCall[] = [];
  for (const time of times) {
    await clock.until(time);
    const atMs = clock.now();
    const result = await limiter.check('client', limit, windowMs);
    calls.push({
      atMs,
      outcome: result.allowed ? 'admitted' : 'refused',
      remaining: result.remaining,
      fixedWindow: fixed.count(result) ? 'admitted' : 'refused',
    });
  }
  return { asks, calls };
}

/** What many limiters do: a count that is 0 again at each edge. */
class FixedWindow {
  #startMs = 0;
  #count = 0;

  count({ windowStartMs }: RateLimitResult): boolean {
    if (windowStartMs !== this.#startMs) this.#count = 0;
    this.#startMs = windowStartMs;
    if (this.#count >= limit) return false;
    this.#count++;
    return true;
  }
}
