/** The answer of a rate limit to one call. Times are on the clock of the store, in whole milliseconds. */
export interface RateLimitResult {
  /** Whether the call may go on. An allowed call has been counted. */
  readonly allowed: boolean;
  /** What could still be admitted at this very millisecond, this call counted. */
  readonly remaining: number;
  /** Milliseconds until the current window ends. */
  readonly resetMs: number;
  /**
   * When denied: the first millisecond from now at which the same call would be admitted if nothing else came. Infinity when
   * it never will be, because its cost is over the limit.
   */
  readonly retryAfterMs?: number;
  /** Why the call can never be admitted as it is. */
  readonly reason?: 'cost-exceeds-limit';

  /** The `maxRequests` that was asked against. */
  readonly limit: number;
  /** The length of the window that was asked against. */
  readonly windowMs: number;
  /** What the call cost, or would have cost. */
  readonly cost: number;
  /** When the window that the call fell into began, on the clock of the store. */
  readonly windowStartMs: number;
  /** The admitted cost of the whole window before, of which a part still counts. */
  readonly previousCount: number;
  /** The admitted cost of the current window, this call counted. */
  readonly currentCount: number;
}
