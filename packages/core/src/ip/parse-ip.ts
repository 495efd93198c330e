/** What {@link parseIp} found: 4 or 6, or 0 when the text is no IP address. */
export type IpFamily = 0 | 4 | 6;

const MAX_IPV6_LENGTH = 45;
const MAPPED_PREFIX_WORD = 0xffff;

const DOT = 46;
const COLON = 58;
const ZERO = 48;
const NOT_HEX = 16;
const LAST_ASCII = 127;

/** The value of each ASCII hexadecimal digit; a table, since a branch on digit or letter is mispredicted half the time. */
const hexValues = Uint8Array.from({ length: LAST_ASCII + 1 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? NOT_HEX : value;
});

const groups = new Uint16Array(8);

/**
 * Parses the text of an IP address, strictly, into 32-bit words, most significant first.
 *
 * IPv4 is four decimal octets without leading zeros and fills `into[0]`; IPv6 is any text form of RFC 4291
 * section 2.2 (a dotted quad in the last 32 bits included) and fills `into[0]` to `into[3]`. An IPv4-mapped IPv6
 * address (`::ffff:0:0/96`, decided by its bits and not by its spelling) is the IPv4 address that it maps.
 *
 * Nothing is trimmed or guessed: surrounding space, a zone id, a port, brackets, hexadecimal or octal octets and
 * digits outside ASCII give 0. So does anything that is not a string. Text over 45 characters is refused before it
 * is scanned. After 0, the content of `into` is unspecified. Allocates nothing.
 *
 * @param text the address
 * @param into at least four words
 */
export function parseIp(text: string | undefined, into: Uint32Array): IpFamily {
  return typeof text === 'string' ? parseIpBetween(text, 0, text.length, into) : 0;
}

/** {@link parseIp} on the part of `text` from `from` up to, not including, `to`. */
export function parseIpBetween(
  text: string,
  from: number,
  to: number,
  into: Uint32Array,
): IpFamily {
  const length = to - from;
  if (length < 2 || length > MAX_IPV6_LENGTH) return 0;
  if (parseDottedQuad(text, from, to, into, 0)) return 4;
  return parseIpv6(text, from, to, into);
}

function parseDottedQuad(
  text: string,
  from: number,
  to: number,
  into: Uint32Array,
  word: number,
): boolean {
  let bits = 0;
  let octet = 0;
  let dots = 0;
  let start = from;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if (code === DOT) {
      if (i === start) return false;
      bits = (bits << 8) | octet;
      octet = 0;
      dots++;
      start = i + 1;
    } else {
      const digit = code - ZERO;
      if (digit < 0 || digit > 9 || (octet === 0 && i !== start)) return false;
      octet = octet * 10 + digit;
      if (octet > 255) return false;
    }
  }
  if (dots !== 3 || start === to) return false;
  into[word] = (bits << 8) | octet;
  return true;
}

function parseIpv6(text: string, from: number, to: number, into: Uint32Array): IpFamily {
  let i = from;
  let count = 0;
  let gap = -1;
  let seen = 0;
  if (text.charCodeAt(i) === COLON) {
    if (text.charCodeAt(i + 1) !== COLON) return 0;
    gap = 0;
    i += 2;
  }
  while (i < to) {
    if (count === 8) return 0;
    const start = i;
    let value = 0;
    let code: number;
    do {
      code = text.charCodeAt(i);
      // Codes beyond ASCII are read as one within, and refused at the end.
      seen |= code;
      const digit = hexValues[code & LAST_ASCII] as number;
      if (digit === NOT_HEX) break;
      value = (value << 4) | digit;
    } while (++i < to);
    if (i === start || i - start > 4) return 0;
    if (i < to && code === DOT) {
      if (count > 6 || !parseDottedQuad(text, start, to, into, 3)) return 0;
      const quad = into[3] as number;
      groups[count++] = quad >>> 16;
      groups[count++] = quad;
      break;
    }
    groups[count++] = value;
    if (i === to) break;
    if (code !== COLON || ++i === to) return 0;
    if (text.charCodeAt(i) === COLON) {
      if (gap !== -1) return 0;
      gap = count;
      i++;
    }
  }
  if (seen > LAST_ASCII) return 0;
  if (gap === -1) {
    if (count !== 8) return 0;
  } else {
    if (count === 8) return 0;
    spread(gap, count);
  }
  return store(into);
}

/** Moves the groups after `gap` to the end of the eight, and zeroes what they leave. */
function spread(gap: number, count: number): void {
  let target = 7;
  for (let source = count - 1; source >= gap; source--) groups[target--] = groups[source] as number;
  while (target >= gap) groups[target--] = 0;
}

function store(into: Uint32Array): IpFamily {
  const word0 = ((groups[0] as number) << 16) | (groups[1] as number);
  const word1 = ((groups[2] as number) << 16) | (groups[3] as number);
  const word2 = ((groups[4] as number) << 16) | (groups[5] as number);
  const word3 = ((groups[6] as number) << 16) | (groups[7] as number);
  if (word0 === 0 && word1 === 0 && word2 === MAPPED_PREFIX_WORD) {
    into[0] = word3;
    return 4;
  }
  into[0] = word0;
  into[1] = word1;
  into[2] = word2;
  into[3] = word3;
  return 6;
}
