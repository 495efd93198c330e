import { brandError, hasBrand } from './brand.js';

/** What every {@link GuardError} is made of beside its message. */
export interface GuardErrorDetails {
  /** Machine-readable, in capitals: `RATE_LIMIT_EXCEEDED`. */
  readonly code: string;
  /** The HTTP status that fits. */
  readonly statusCode: number;
  /** The error underneath, when there is one. */
  readonly cause?: unknown;
}

/**
 * The base of every error that a guard throws.
 *
 * `instanceof` also recognizes an error from another copy of the package, or from its other build, in the same process.
 * A subclass of your own works as usual, by its prototype chain.
 */
export class GuardError extends Error {
  static {
    brandError(this, 'GuardError');
  }

  readonly code: string;
  readonly statusCode: number;

  constructor(message: string, details: GuardErrorDetails) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.code = details.code;
    this.statusCode = details.statusCode;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasBrand(this, value) ?? Function.prototype[Symbol.hasInstance].call(this, value);
  }
}
