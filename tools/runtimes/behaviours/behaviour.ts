import type { StorageAdapter } from '@frontmcp/guard-core';

/** What is checked, as it was loaded: as ESM or as CommonJS. */
export interface Loaded {
  readonly guard: typeof import('@frontmcp/guard');
  readonly hono: typeof import('@frontmcp/guard-hono');
  readonly http: typeof import('@frontmcp/guard-http');
}

/** What a runtime saw, as plain data, so that it is the same on both sides of a pipe. */
export type Report = Readonly<Record<string, unknown>>;

/**
 * Something that must be the same on every runtime and store. A runtime only reports what it saw; whoever
 * started it compares, so that a runtime that answers nothing, or half, differs too.
 */
export interface Behaviour {
  readonly name: string;
  readonly expected: Report;
  observe(loaded: Loaded, storage: StorageAdapter): Promise<Report>;
}
