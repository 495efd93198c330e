import type { AtomicOperation, PreparedOperation, StorageAdapter } from '@frontmcp/guard-core';

import type { AddArgs, AddResult, AddState } from './add-operation.js';
import type { Capability } from './capability.js';

/** A case as a test runner takes it. */
export interface ConformanceCase {
  /** What the contract says, unique among the cases. */
  readonly name: string;
  /** What a store needs to be held to it. */
  readonly requires: readonly Capability[];
  /** Rejects, with a message that says what was expected, when the store is not as the contract says. */
  run(): Promise<void>;
}

/** A case as it is written. */
export interface CaseDefinition {
  readonly name: string;
  readonly requires?: readonly Capability[];
  readonly check: (context: CaseContext) => Promise<void> | void;
}

/** What a case works with. */
export interface CaseContext {
  /** Connected, and nobody else's. */
  readonly storage: StorageAdapter;
  /** What the store is declared to lack. */
  readonly without: readonly Capability[];
  /** The operation of the suite. */
  readonly add: AtomicOperation<AddState, AddArgs, AddResult>;
  /** `add` on a key of the kind `sum`, under a prefix or none, prepared where the store can prepare. */
  readonly prepareAdd: (prefix?: string) => PreparedOperation<AddArgs, AddResult>;
  /** A name that no other case uses, for a key or a channel. The key is deleted at the end. */
  readonly unique: (name: string) => string;
  /** Has a key deleted at the end. */
  readonly deleteAtEnd: (...keys: readonly string[]) => void;
  /**
   * Throws unless the time to live of a key is what is left of so many ms, in seconds rounded up, when they were set in this
   * case: how long ago that is, only the case knows, and a machine that has other work may take its time.
   */
  readonly assertTtl: (key: string, ttlMs: number, what: string) => Promise<void>;
  /** Lets time go by, for the store. */
  readonly elapse: (ms: number) => Promise<void>;
}

/** A method that a case needs, bound to its store. */
export function method<
  K extends 'compareAndDelete' | 'compareAndExpire' | 'execute' | 'executeTogether',
>(storage: StorageAdapter, name: K): NonNullable<StorageAdapter[K]> {
  const found = storage[name] as ((...args: unknown[]) => unknown) | undefined;
  if (found === undefined) throw new Error(`The store has no ${name}`);
  return found.bind(storage) as NonNullable<StorageAdapter[K]>;
}
