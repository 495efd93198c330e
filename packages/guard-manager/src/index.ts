export { createGuardManager, type CreateGuardManagerArgs } from './create-guard-manager.js';
export { assertCallLimits, type CallOptions } from './entry/assert-call-options.js';
export type { GuardPermit, PermitRateLimits } from './entry/guard-permit.js';
export { assertMaxOverrunMs, DEFAULT_MAX_OVERRUN_MS } from './entry/run-held.js';
export {
  DEFAULT_WINDOW_MS,
  type ConcurrencyConfig,
  type GuardConfig,
  type RateLimitConfig,
  type TimeoutConfig,
} from './guard-config.js';
export { GuardManager } from './guard-manager.js';
export type {
  AcquireSemaphoreOptions,
  EnterOptions,
  GuardManagerOptions,
  RunOptions,
} from './manager-options.js';
