export { ExecutionTimeoutError } from './execution-timeout-error.js';
export { withTimeout } from './with-timeout.js';
export type { WithTimeoutOptions } from './with-timeout.js';
