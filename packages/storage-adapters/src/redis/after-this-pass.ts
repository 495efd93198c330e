interface Scheduler {
  readonly setImmediate?: (run: () => void) => unknown;
}

/**
 * Runs something once the event loop has been through the input that it has; where it does not say when that is, at the end of
 * the turn.
 */
export const afterThisPass: (run: () => void) => unknown =
  (globalThis as Scheduler).setImmediate?.bind(globalThis) ?? queueMicrotask.bind(globalThis);
