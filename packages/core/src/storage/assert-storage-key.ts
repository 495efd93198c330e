/**
 * Throws unless `key` is a well-formed string. A lone surrogate has no UTF-8 form: on a wire, two such keys would become
 * one. Any other string is a key as it is, the empty one too.
 *
 * @throws TypeError naming what was given.
 */
export function assertStorageKey(key: string): void {
  if (typeof key !== 'string') {
    throw new TypeError(`Storage key must be a string, got ${typeof key}`);
  }
  if (!key.isWellFormed()) {
    throw new TypeError(`Storage key has a lone surrogate: ${JSON.stringify(key.slice(0, 64))}`);
  }
}
