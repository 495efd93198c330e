import type { AtomicState } from '@frontmcp/guard-core';

/** A string under a key, as the plain calls write it. */
export class PlainValue implements AtomicState {
  value: string;
  /** Infinity for a key that lives for ever. */
  expiresAtMs: number;

  constructor(value: string, expiresAtMs: number) {
    this.value = value;
    this.expiresAtMs = expiresAtMs;
  }
}

/**
 * The string of an entry, null for an absent one.
 *
 * @throws TypeError naming the key when it holds the state of an atomic operation.
 */
export function plainValueOf(entry: AtomicState | undefined, name: string): string | null {
  if (entry === undefined) return null;
  if (entry instanceof PlainValue) return entry.value;
  throw new TypeError(`Storage key "${name.slice(0, 64)}" holds the state of an atomic operation`);
}
