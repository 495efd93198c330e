export { createGuardManager, type CreateGuardManagerArgs } from './create-guard-manager.js';
export type { GuardPermit, PermitRateLimits } from './entry/guard-permit.js';
export type {
  ConcurrencyConfig,
  GuardConfig,
  RateLimitConfig,
  TimeoutConfig,
} from './guard-config.js';
export {
  GuardManager,
  type AcquireSemaphoreOptions,
  type EnterOptions,
  type GuardManagerOptions,
  type RunOptions,
} from './guard-manager.js';
