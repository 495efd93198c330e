export { rateLimitOperations } from './rate-limit-operations.js';
export { RateLimitError } from './rate-limit-error.js';
export type { RateLimitResult } from './rate-limit-result.js';
export {
  SlidingWindowRateLimiter,
  type RateLimitCheckOptions,
  type RateLimitPlan,
  type RateLimitRefundOptions,
  type SlidingWindowRateLimiterOptions,
} from './sliding-window-rate-limiter.js';
