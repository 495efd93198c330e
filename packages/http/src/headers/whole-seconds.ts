import { headerInteger } from './header-integer.js';

/**
 * Milliseconds as the whole seconds of a header, rounded up, so that nobody comes too early. Undefined for what is not finite.
 *
 * @param least The least answer.
 */
export function wholeSeconds(ms: number | undefined, least: 0 | 1): number | undefined {
  if (ms === undefined) return undefined;
  const seconds = headerInteger(Math.ceil(ms / 1000));
  return seconds === undefined ? undefined : Math.max(least, seconds);
}
