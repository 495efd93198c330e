import type { AtomicState } from '@frontmcp/guard-core';

import { typeName } from '../type-name.js';

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
