import { GuardStorageUnavailableError } from '@frontmcp/guard-core';

/**
 * Whether a call failed because somebody has disconnected the storage, so that nothing brings it back: stores that can tell say
 * so by a cause that is an `InvalidStateError`.
 */
export function isDisconnected(error: unknown): boolean {
  if (!(error instanceof GuardStorageUnavailableError)) return false;
  return (error.cause as { readonly name?: unknown } | undefined)?.name === 'InvalidStateError';
}
