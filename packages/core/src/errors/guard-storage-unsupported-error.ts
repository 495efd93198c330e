import { brandError } from './brand.js';
import { errorHelp } from './error-help.js';
import { GuardError } from './guard-error.js';

/** The storage lacks an operation without which the guarantee would be a lie. `GUARD_STORAGE_UNSUPPORTED`, 500. */
export class GuardStorageUnsupportedError extends GuardError {
  static {
    brandError(this, 'GuardStorageUnsupportedError');
  }

  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, {
      ...options,
      code: 'GUARD_STORAGE_UNSUPPORTED',
      help: errorHelp('GUARD_STORAGE_UNSUPPORTED'),
      statusCode: 500,
    });
  }
}
