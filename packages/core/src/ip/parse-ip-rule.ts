import { fillWords, maskWords } from './mask-words.js';
import { parseIpBetween } from './parse-ip.js';
import type { IpFamily } from './parse-ip.js';

/** Two addresses of 45 characters and a dash. */
export const MAX_RULE_LENGTH = 91;

const MAPPED_PREFIX = 96;
const SLASH = 47;
const DASH = 45;
const ZERO = 48;

/** One rule as addresses: everything from `first` to `last`, both included. A reusable buffer for {@link parseIpRule}. */
export interface IpRule {
  /** The first address, most significant word first; IPv4 uses word 0 only. */
  readonly first: Uint32Array;
  /** The last address. */
  readonly last: Uint32Array;
  /** Whether a CIDR rule was written with bits set after its prefix (`192.168.1.123/24`); they are masked. */
  hostBits: boolean;
}

/** An empty {@link IpRule} to parse into. */
export function createIpRule(): IpRule {
  return { first: new Uint32Array(4), last: new Uint32Array(4), hostBits: false };
}

/**
 * Parses a rule: one address, a CIDR network (`10.0.0.0/8`) or a range of one family in order (`10.0.0.1-10.0.0.9`).
 *
 * Addresses are read as by `parseIp`, so an IPv4-mapped rule is an IPv4 rule: `::ffff:10.0.0.0/104` is `10.0.0.0/8`.
 * A prefix is decimal without sign, space or leading zero. Returns 0 for anything else, wildcards, zones, host names
 * and comments included: ask {@link explainIpRule} for the reason. Text over 91 characters is refused unread.
 * Allocates nothing.
 *
 * @param into filled with the rule; unspecified after 0
 */
export function parseIpRule(text: string, into: IpRule): IpFamily {
  if (typeof text !== 'string' || text.length > MAX_RULE_LENGTH) return 0;
  into.hostBits = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === SLASH) return parseNetwork(text, i, into);
    if (code === DASH) return parseRange(text, i, into);
  }
  const family = parseIpBetween(text, 0, text.length, into.first);
  into.last.set(into.first);
  return family;
}

function parseNetwork(text: string, slash: number, into: IpRule): IpFamily {
  const family = parseIpBetween(text, 0, slash, into.first);
  if (family === 0) return 0;
  const prefix = familyPrefix(
    family,
    text.lastIndexOf(':', slash) !== -1,
    parsePrefix(text, slash + 1),
  );
  if (prefix === -1) return 0;
  const count = family === 4 ? 1 : 4;
  into.hostBits = maskWords(into.first, count, prefix);
  into.last.set(into.first);
  fillWords(into.last, count, prefix);
  return family;
}

function parseRange(text: string, dash: number, into: IpRule): IpFamily {
  const family = parseIpBetween(text, 0, dash, into.first);
  if (family === 0 || parseIpBetween(text, dash + 1, text.length, into.last) !== family) return 0;
  return isOrdered(into, family === 4 ? 1 : 4) ? family : 0;
}

/** Whether a rule's first address is not after its last. */
export function isOrdered(rule: IpRule, count: number): boolean {
  for (let word = 0; word < count; word++) {
    const first = rule.first[word] as number;
    const last = rule.last[word] as number;
    if (first !== last) return first < last;
  }
  return true;
}

/** The decimal prefix that starts at `from` and ends the text, or -1. */
export function parsePrefix(text: string, from: number): number {
  const length = text.length - from;
  if (length < 1 || length > 3 || (length > 1 && text.charCodeAt(from) === ZERO)) return -1;
  let prefix = 0;
  for (let i = from; i < text.length; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    prefix = prefix * 10 + digit;
  }
  return prefix;
}

/** A written prefix as a prefix of the family that the address has by its bits, or -1 when it is out of range. */
function familyPrefix(family: 4 | 6, writtenAsIpv6: boolean, prefix: number): number {
  if (prefix > (writtenAsIpv6 ? 128 : 32)) return -1;
  if (family === 4 && writtenAsIpv6) return prefix < MAPPED_PREFIX ? -1 : prefix - MAPPED_PREFIX;
  return prefix;
}
