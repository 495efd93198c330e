import { brandError } from './brand.js';
import { GuardError } from './guard-error.js';

/**
 * The storage did not answer, or answered with a failure: the guard cannot say whether the call is within its limit, and
 * refuses. `GUARD_STORAGE_UNAVAILABLE`, 503. `cause` holds the client's own error.
 */
export class GuardStorageUnavailableError extends GuardError {
  static {
    brandError(this, 'GuardStorageUnavailableError');
  }

  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, { ...options, code: 'GUARD_STORAGE_UNAVAILABLE', statusCode: 503 });
  }
}
