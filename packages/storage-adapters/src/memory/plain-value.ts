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
