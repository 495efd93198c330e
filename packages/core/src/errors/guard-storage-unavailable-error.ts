import { brandError } from './brand.js';
import { errorHelp } from './error-help.js';
import { GuardError } from './guard-error.js';

/**
 * The storage did not answer, or answered with a failure: the guard cannot say whether the call is within its limit, and
 * refuses. `GUARD_STORAGE_UNAVAILABLE`, 503. `cause` holds the client's own error.
 */
export class GuardStorageUnavailableError extends GuardError {
  static {
    brandError(this, 'GuardStorageUnavailableError');
  }

  /** False when the call is known to have had no effect, because it was never sent. */
  readonly wasSent: boolean;

  constructor(message: string, options?: { readonly cause?: unknown; readonly wasSent?: boolean }) {
    const { wasSent = true, ...details } = options ?? {};
    super(message, {
      ...details,
      code: 'GUARD_STORAGE_UNAVAILABLE',
      help: errorHelp('GUARD_STORAGE_UNAVAILABLE'),
      statusCode: 503,
    });
    this.wasSent = wasSent;
  }
}

/** Whether a call that failed like this may have had an effect all the same. */
export function mayHaveHadEffect(error: unknown): boolean {
  return !(error instanceof GuardStorageUnavailableError) || error.wasSent;
}
