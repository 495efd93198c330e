import { assertStorageKey } from '@frontmcp/guard-core';

/** A store keeps something for each kind, so only so many window lengths are bound; the rest name their keys in full. */
export const MAX_BOUND_WINDOWS = 64;

/** The kind of the counts of one window length: they live under `<key>:<kind>`. */
export function kindOf(windowMs: number): string {
  return `rl:${String(windowMs)}`;
}

/** The full name of the counts of a key. @throws TypeError for a key that cannot be. */
export function nameOf(key: string, windowMs: number): string {
  assertStorageKey(key);
  return `${key}:${kindOf(windowMs)}`;
}
