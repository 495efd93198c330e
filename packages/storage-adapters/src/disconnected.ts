import { GuardStorageUnavailableError } from '@frontmcp/guard-core';

/** Says of a call that it was not sent because the store was disconnected, which its cause tells from an outage. */
export function disconnected(what: string): GuardStorageUnavailableError {
  const cause = new DOMException('It was disconnected by its user', 'InvalidStateError');
  return new GuardStorageUnavailableError(`${what} is disconnected`, { wasSent: false, cause });
}
