import type { AtomicState } from '@frontmcp/guard-core';

/** What is kept under the key of one limit: two counts, and when they no longer matter. */
export interface WindowState extends AtomicState {
  index: number;
  previous: number;
  current: number;
}
