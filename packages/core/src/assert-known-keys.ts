import { GuardConfigError } from './errors/guard-config-error.js';
import { kindOf } from './kind-of.js';
import { nearestWord } from './nearest-word.js';

/**
 * Throws when an object has a key that nobody reads: a limit that is misspelt would not hold, and nobody would know.
 *
 * Only keys of its own that can be listed count: not inherited ones, not symbols. A key whose value is undefined counts.
 *
 * @param where What the object is, for the message.
 * @throws GuardConfigError naming the key and the nearest known one, or what was given in the place of an object.
 */
export function assertKnownKeys(value: object, known: ReadonlySet<string>, where: string): void {
  if (kindOf(value) !== 'object') {
    throw new GuardConfigError(`${where} must be an object, got ${kindOf(value)}`);
  }
  // Not over `Object.keys`, which makes a list anew for every call; so what is inherited has to be told apart.
  for (const key in value) {
    if (known.has(key) || !Object.hasOwn(value, key)) continue;
    const nearest = nearestWord(key, [...known]);
    const hint = nearest === undefined ? '' : `, did you mean "${nearest}"?`;
    throw new GuardConfigError(`Unknown key "${key}" in ${where}${hint}`);
  }
}
