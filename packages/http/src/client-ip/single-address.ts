import { readAddress } from './read-address.js';
import { trimOws } from './trim-ows.js';

/**
 * The address in a header that holds one, like `CF-Connecting-IP`, `X-Real-IP` and `Fly-Client-IP`. Undefined when there is more: a
 * proxy that sets such a header replaces what the client sent, so with two nobody knows whose is whose.
 */
export function singleAddress(text: string): string | undefined {
  return readAddress(trimOws(text));
}
