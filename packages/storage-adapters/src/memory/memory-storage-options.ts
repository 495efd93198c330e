import type { GuardLogger } from '@frontmcp/guard-core';

/** What a memory store can be told. */
export interface MemoryStorageOptions {
  /** How many keys it may hold. Infinity by default. A new key over it is refused with `GuardStorageFullError`. */
  readonly maxEntries?: number;
  /** Milliseconds since the epoch, whole; `Date.now` by default. A step back is evened out, NaN and Infinity are ignored. */
  readonly clock?: () => number;
  /** Hears once when the store is full, and of message handlers that throw (`console` hears of these by default). */
  readonly logger?: GuardLogger;
}
