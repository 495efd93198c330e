import { brandError, errorHelp, GuardError } from '@frontmcp/guard-core';

/**
 * The work did not settle before its deadline. `EXECUTION_TIMEOUT`, 408.
 *
 * `cause` is a `DOMException` named `TimeoutError`, the one that `AbortSignal.timeout` gives, for code that looks for it.
 */
export class ExecutionTimeoutError extends GuardError {
  static {
    brandError(this, 'ExecutionTimeoutError');
  }

  /** What timed out: the `name` given to `withTimeout`. */
  readonly operation: string;
  /** The time it had, in milliseconds. */
  readonly timeoutMs: number;

  constructor(operation: string, timeoutMs: number) {
    const message = `Execution of "${operation}" timed out after ${timeoutMs} ms`;
    super(message, {
      code: 'EXECUTION_TIMEOUT',
      help: errorHelp('EXECUTION_TIMEOUT'),
      statusCode: 408,
      cause: new DOMException(message, 'TimeoutError'),
    });
    this.operation = operation;
    this.timeoutMs = timeoutMs;
  }
}
