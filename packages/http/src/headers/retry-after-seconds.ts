import { wholeSeconds } from './whole-seconds.js';

/**
 * Milliseconds as the seconds of `Retry-After`: rounded up, at least 1, since a client that is told 0 comes back at once. Undefined, which
 * is no header, for Infinity and NaN: there is no time at which coming back would help.
 */
export function retryAfterSeconds(ms: number): number | undefined {
  return wholeSeconds(ms, 1);
}
