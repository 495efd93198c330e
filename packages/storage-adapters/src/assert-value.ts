import { typeName } from './type-name.js';

/**
 * Throws unless what is to be written under a key is a string.
 *
 * @throws TypeError naming the key and the type.
 */
export function assertValue(value: unknown, name: string): void {
  if (typeof value === 'string') return;
  throw new TypeError(
    `Value of storage key "${name.slice(0, 64)}" must be a string, got ${typeName(value)}`,
  );
}
