import { GuardConfigError } from '@frontmcp/guard-core';

/** @throws GuardConfigError when a client puts something before every key, which channels and scans would not follow. */
export function assertNoKeyPrefix(options: unknown, where: string): void {
  const { keyPrefix } = (options ?? {}) as { readonly keyPrefix?: unknown };
  if (keyPrefix === undefined || keyPrefix === '') return;
  throw new GuardConfigError(
    `${where}.keyPrefix is not supported, got ${JSON.stringify(keyPrefix)}; use the keyPrefix of the guard, or namespaceStorage`,
  );
}
