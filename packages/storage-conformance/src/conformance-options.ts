import type { StorageAdapter } from '@frontmcp/guard-core';

import type { Capability } from './capability.js';

/** How the suite gets a store, and what the store cannot do. */
export interface ConformanceOptions {
  /**
   * Makes a store of its own for a case, which connects and disconnects it. It may share a backend with others: names of
   * keys and channels are unique, and keys are deleted at the end.
   */
  createStorage(): Promise<StorageAdapter> | StorageAdapter;
  /** What the store lacks. The suite fails when it is declared to lack what it has, or lacks what it is not declared to. */
  readonly without?: readonly Capability[];
  /** Moves the clock of the stores made, by so many ms. Without it, cases wait for short times to live, some seconds in all. */
  advance?(ms: number): Promise<void> | void;
}
