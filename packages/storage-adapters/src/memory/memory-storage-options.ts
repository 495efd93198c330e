import { GuardConfigError, type GuardLogger } from '@frontmcp/guard-core';

import { assertOptions } from '../assert-options.js';

/** What a memory store can be told. */
export interface MemoryStorageOptions {
  /** How many keys it may hold. Infinity by default. A new key over it is refused with `GuardStorageFullError`. */
  readonly maxEntries?: number;
  /** Milliseconds since the epoch, whole; `Date.now` by default. A step back is evened out, NaN and Infinity are ignored. */
  readonly clock?: () => number;
  /** Hears once when the store is full, and of message handlers that throw (`console` hears of these by default). */
  readonly logger?: GuardLogger;
}

const KNOWN: ReadonlySet<string> = new Set<keyof MemoryStorageOptions>([
  'maxEntries',
  'clock',
  'logger',
]);

/** @throws GuardConfigError for an unknown option, or unless `maxEntries` is a positive integer or Infinity. */
export function assertMemoryStorageOptions(options: MemoryStorageOptions): void {
  assertOptions(options, KNOWN, 'the options of createMemoryStorage');
  const { maxEntries = Infinity } = options;
  if (maxEntries === Infinity || (Number.isSafeInteger(maxEntries) && maxEntries > 0)) return;
  throw new GuardConfigError(`maxEntries must be a positive integer, got ${String(maxEntries)}`);
}
