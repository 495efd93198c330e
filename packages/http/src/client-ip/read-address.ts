import { canonicalIp } from '@frontmcp/guard-core';

const ZERO = 48;
const UNDERSCORE = 95;
const MOST_PORT_DIGITS = 5;
const LAST_PORT = 65_535;

/**
 * The canonical address in a text that a server or a proxy wrote, as `canonicalIp` has it.
 *
 * What they write around it is taken off, once each: a port (`192.0.2.1:80`, `[2001:db8::1]:80`), brackets, and the zone of an
 * IPv6 address (`fe80::1%eth0`). Undefined for everything else: a port that is empty, over 65535 or no decimal number,
 * IPv4 in brackets or with a zone, surrounding space, `unknown`, and an obfuscated name. A port after IPv6 without
 * brackets cannot be told from the address: `2001:db8::1:80` is read as the address that it is.
 *
 * @param allowsObfuscatedPort Whether `:_name` is a port as well, as in RFC 7239.
 */
export function readAddress(
  text: string | undefined,
  allowsObfuscatedPort = false,
): string | undefined {
  const address = canonicalIp(text);
  if (address !== undefined || typeof text !== 'string') return address;
  if (text.startsWith('[')) return readBracketed(text, allowsObfuscatedPort);
  const colon = text.indexOf(':');
  if (colon === -1) return undefined;
  if (text.includes(':', colon + 1)) return readIpv6(text);
  return isPort(text.slice(colon + 1), allowsObfuscatedPort)
    ? canonicalIp(text.slice(0, colon))
    : undefined;
}

function readBracketed(text: string, allowsObfuscatedPort: boolean): string | undefined {
  const end = text.indexOf(']');
  if (end === -1) return undefined;
  const hasPort = end + 1 < text.length;
  if (hasPort && text[end + 1] !== ':') return undefined;
  if (hasPort && !isPort(text.slice(end + 2), allowsObfuscatedPort)) return undefined;
  const inside = text.slice(1, end);
  return inside.includes(':') ? readIpv6(inside) : undefined;
}

/** An IPv6 address with or without a zone. */
function readIpv6(text: string): string | undefined {
  const percent = text.indexOf('%');
  if (percent === -1) return canonicalIp(text);
  const address = text.slice(0, percent);
  return address.includes(':') && isZone(text, percent + 1) ? canonicalIp(address) : undefined;
}

/** The name of an interface: visible ASCII, at least one character, none that belongs to what stands around an address. */
function isZone(text: string, from: number): boolean {
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code <= 32 || code >= 127 || '[]",;'.includes(text.charAt(i))) return false;
  }
  return from < text.length;
}

function isPort(text: string, allowsObfuscated: boolean): boolean {
  if (allowsObfuscated && text.charCodeAt(0) === UNDERSCORE) return /^_[\w.-]+$/.test(text);
  if (text.length < 1 || text.length > MOST_PORT_DIGITS) return false;
  let port = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    if (digit < 0 || digit > 9) return false;
    port = port * 10 + digit;
  }
  return port <= LAST_PORT;
}
