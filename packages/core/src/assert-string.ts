import { kindOf } from './kind-of.js';

/**
 * Throws unless `value` is a string, however the caller came by it.
 *
 * @throws TypeError with the name and the type.
 */
export function assertString(value: unknown, name: string): void {
  if (typeof value === 'string') return;
  throw new TypeError(`${name} must be a string, got ${kindOf(value)}`);
}
