import type { RateLimitResult } from './rate-limit-result.js';
import { smallInteger } from './small-integer.js';

/** What a call asks of a window. All are integers: `max` and `cost` from 0, `windowMs` from 1, `max` × `windowMs` under 2^53. */
export interface WindowRequest {
  readonly max: number;
  readonly windowMs: number;
  readonly cost: number;
}

/** The counts of two windows in a row. */
export interface WindowCounts {
  /** The number of the current window: windows are aligned to the clock. */
  readonly index: number;
  /** Admitted cost of the window before. */
  readonly previous: number;
  /** Admitted cost of the current window. */
  readonly current: number;
}

const EMPTY = { index: 0, previous: 0, current: 0 } as const;

/**
 * Answers one call by the sliding window counter: the cost admitted in the current window, plus the share of the previous
 * window's that a window ending now would still cover, rounded down. With W the window, e the ms elapsed in it, p and c the
 * counts: admit when `floor(p·(W − e)/W) + c + cost ≤ max`.
 *
 * Algorithm: the sliding window counter as Cloudflare published it in 2017; the exact `retryAfterMs` solves the rule for e.
 *
 * @param counts What has been admitted so far, in any window; undefined for nothing.
 * @param nowMs May lie before the window of `counts`, when a clock stepped back: the call then falls on that window's start.
 */
export function slide(
  counts: WindowCounts | undefined,
  request: WindowRequest,
  nowMs: number,
): RateLimitResult {
  const { max, windowMs, cost } = request;
  const {
    index: countedIndex,
    previous: countedPrevious,
    current: countedCurrent,
  } = counts ?? EMPTY;
  const clockIndex = Math.floor(nowMs / windowMs);
  const index = Math.max(clockIndex, countedIndex);
  const elapsed = clockIndex < index ? 0 : smallInteger(nowMs - index * windowMs);

  let previous = 0;
  let current = 0;
  if (countedIndex === index) {
    previous = countedPrevious;
    current = countedCurrent;
  } else if (countedIndex === index - 1) {
    previous = countedCurrent;
  }

  const carried =
    previous === 0 ? 0 : smallInteger(Math.floor((previous * (windowMs - elapsed)) / windowMs));
  if (max > 0 && carried + current + cost <= max) {
    current += cost;
    return {
      allowed: true,
      remaining: max - current - carried,
      resetMs: windowMs - elapsed,
      limit: max,
      windowMs,
      cost,
      windowStartMs: index * windowMs,
      previousCount: previous,
      currentCount: current,
    };
  }
  return deny(request, { index, previous, current }, elapsed, carried);
}

/** Apart from {@link slide}, which is small enough to be compiled into its caller only without it. */
function deny(
  { max, windowMs, cost }: WindowRequest,
  { index, previous, current }: WindowCounts,
  elapsed: number,
  carried: number,
): RateLimitResult {
  const denied = {
    allowed: false,
    remaining: Math.max(0, max - current - carried),
    resetMs: windowMs - elapsed,
    limit: max,
    windowMs,
    cost,
    windowStartMs: index * windowMs,
    previousCount: previous,
    currentCount: current,
    retryAfterMs: Infinity,
  };
  if (max === 0 || cost > max) return { ...denied, reason: 'cost-exceeds-limit' };
  denied.retryAfterMs = retryAfter(denied, elapsed);
  return denied;
}

/**
 * The smallest d at which the call is admitted at now + d if nothing else arrives. While the current window leaves room for
 * the call, the previous one has to fade; else the current one has to become the previous and fade in turn.
 */
function retryAfter(denied: RateLimitResult, elapsed: number): number {
  const { windowMs, previousCount: previous, currentCount: current } = denied;
  const room = denied.limit - denied.cost;
  if (current <= room) {
    return Math.floor((windowMs * (previous + current - room - 1)) / previous) + 1 - elapsed;
  }
  return windowMs - elapsed + Math.floor((windowMs * (current - room - 1)) / current) + 1;
}
