import { canonicalText } from './canonical-text.js';
import { parseIp } from './parse-ip.js';

const words = new Uint32Array(4);

/**
 * The one canonical text of an IP address, so that equal addresses are equal strings: a dotted quad for IPv4 and for IPv4-mapped
 * IPv6, RFC 5952 for the rest. `undefined` for anything that `parseIp` refuses. Never throws.
 */
export function canonicalIp(text: string | undefined): string | undefined {
  const family = parseIp(text, words);
  return family === 0 ? undefined : canonicalText(family, text as string, words);
}
