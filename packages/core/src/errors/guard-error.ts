import { brandError, hasBrand } from './brand.js';

/** What every {@link GuardError} is made of beside its message. */
export interface GuardErrorDetails {
  /** Machine-readable, in capitals: `RATE_LIMIT_EXCEEDED`. */
  readonly code: string;
  /** The HTTP status that fits. */
  readonly statusCode: number;
  /** Where it is explained: a URL, which the message then ends with. */
  readonly help?: string;
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

  /** Machine-readable, in capitals: `RATE_LIMIT_EXCEEDED`. */
  readonly code: string;
  /** The HTTP status that fits. */
  readonly statusCode: number;

  constructor(message: string, details: GuardErrorDetails) {
    super(
      details.help === undefined ? message : withHelp(message, details.help),
      'cause' in details ? { cause: details.cause } : undefined,
    );
    this.code = details.code;
    this.statusCode = details.statusCode;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasBrand(this, value) ?? Function.prototype[Symbol.hasInstance].call(this, value);
  }
}

/** Says once, at the end, where to read more: also when a message is made of those of other errors of the code. */
function withHelp(message: string, help: string): string {
  const link = ` (see ${help})`;
  return (message.includes(link) ? message.replaceAll(link, '') : message) + link;
}
