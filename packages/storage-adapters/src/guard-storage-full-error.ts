import { brandError, errorHelp, GuardError } from '@frontmcp/guard-core';

/**
 * The storage holds as many live entries as it may, and freeing one would lift somebody's limit: a new key is refused.
 * `GUARD_STORAGE_FULL`, 503.
 */
export class GuardStorageFullError extends GuardError {
  static {
    brandError(this, 'GuardStorageFullError');
  }

  /** How many entries it may hold. */
  readonly maxEntries: number;

  constructor(maxEntries: number) {
    super(`Memory storage is full: maxEntries is ${maxEntries} and all of them are live`, {
      code: 'GUARD_STORAGE_FULL',
      help: errorHelp('GUARD_STORAGE_FULL'),
      statusCode: 503,
    });
    this.maxEntries = maxEntries;
  }
}
