import { brandError } from './brand.js';
import { errorHelp } from './error-help.js';
import { GuardError } from './guard-error.js';

/** A configuration that cannot work: the message names every field that is wrong and its value. `GUARD_CONFIG_INVALID`, 500. */
export class GuardConfigError extends GuardError {
  static {
    brandError(this, 'GuardConfigError');
  }

  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, {
      ...options,
      code: 'GUARD_CONFIG_INVALID',
      help: errorHelp('GUARD_CONFIG_INVALID'),
      statusCode: 500,
    });
  }
}
