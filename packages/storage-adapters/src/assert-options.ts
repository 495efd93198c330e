import { assertKnownKeys, GuardConfigError } from '@frontmcp/guard-core';

import { typeName } from './type-name.js';

/**
 * Throws unless options are an object of which every key is read by somebody.
 *
 * @param where What they are, for the message.
 * @throws GuardConfigError naming what they are, or the key and the nearest known one.
 */
export function assertOptions(value: unknown, known: ReadonlySet<string>, where: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new GuardConfigError(`${where} must be an object, got ${typeName(value)}`);
  }
  assertKnownKeys(value, known, where);
}
