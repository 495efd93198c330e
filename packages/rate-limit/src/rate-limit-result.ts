/** The answer of a rate limit to one call. */
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

  readonly limit: number;
  readonly windowMs: number;
  readonly cost: number;
  /** When the window that the call fell into began, on the clock of the store. */
  readonly windowStartMs: number;
  /** The admitted cost of the window before and of the current one, this call counted. */
  readonly previousCount: number;
  readonly currentCount: number;
}
