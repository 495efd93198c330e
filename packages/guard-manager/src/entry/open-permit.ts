import type { GuardPermit } from './guard-permit.js';

/** The permit of a call that nothing guards. Its signal is the caller's, or one that never aborts. */
export function openPermit(signal: AbortSignal | undefined): GuardPermit {
  return {
    rateLimits: {},
    signal: signal ?? new AbortController().signal,
    release: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
