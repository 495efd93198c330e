import { GuardError } from '@frontmcp/guard-core';

/** Whether a signal was aborted because time ran out. */
export function isTimeout(reason: unknown): reason is GuardError {
  return reason instanceof GuardError && reason.code === 'EXECUTION_TIMEOUT';
}
