import type { Wait } from './wait.js';

/** Takes callers through their wait. */
export interface WaitQueue {
  /** Takes charge of an open wait, and settles it in time. */
  enter(wait: Wait): void;
  /** Forgets a wait that was settled. */
  leave(wait: Wait): void;
  /** For a queue without waits: resolves when nothing is left of what was kept for them. */
  close(): Promise<void>;
}
