import type { StorageAdapter } from '@frontmcp/guard-core';
import type { Capability } from '@frontmcp/guard-storage-conformance';

/** How a package is loaded. */
export type Format = 'esm' | 'cjs';

/** What is checked, as it was loaded: as ESM or as CommonJS. */
export interface Loaded {
  readonly conformance: typeof import('@frontmcp/guard-storage-conformance');
  readonly guard: typeof import('@frontmcp/guard');
  readonly hono: typeof import('@frontmcp/guard-hono');
  readonly http: typeof import('@frontmcp/guard-http');
}

/** A store to check on. */
export interface CheckedStore {
  /** Connected, and disconnected when all is checked. */
  readonly storage: StorageAdapter;
  /** Another store of the same kind. */
  open(): Promise<StorageAdapter>;
  /** What stores of that kind lack. */
  readonly without: readonly Capability[];
}

/** What a runtime saw, as plain data, so that it is the same on both sides of a pipe. */
export type Report = Readonly<Record<string, unknown>>;

/**
 * Something that must be the same on every runtime and store. A runtime only reports what it saw; whoever
 * started it compares, so that a runtime that answers nothing, or half, differs too.
 */
export interface Behaviour {
  readonly name: string;
  /** In which ways of loading it is looked at; in both by default. */
  readonly formats?: readonly Format[];
  readonly expected: Report;
  observe(loaded: Loaded, store: CheckedStore): Promise<Report>;
}
