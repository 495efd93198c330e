import { GuardError, GuardStorageUnavailableError } from '@frontmcp/guard-core';

/**
 * What a caller is told when a call failed with `error`: the error itself when the store refused the call for what was
 * asked (`TypeError`, `RangeError`, a `GuardError`), else `GuardStorageUnavailableError` with the error as its cause. A
 * `TypeError` that has a cause of its own is how `fetch` reports a broken connection.
 */
export function toStorageFailure(error: unknown, call: string): Error {
  if (error instanceof GuardError || error instanceof RangeError) return error;
  if (error instanceof TypeError && error.cause === undefined) return error;
  return new GuardStorageUnavailableError(`Storage call ${call} failed`, { cause: error });
}

/** Whether the store could not be reached, and not the call was wrong. */
export function isOutage(failure: unknown): boolean {
  return failure instanceof GuardStorageUnavailableError;
}
