import {
  createIpRule,
  isOrdered,
  MAX_RULE_LENGTH,
  parseIpRule,
  parsePrefix,
} from './parse-ip-rule.js';
import { parseIp } from './parse-ip.js';

/** Why a rule was refused. */
export interface IpRuleError {
  /** What the rule looks like: `CIDR`, `IP range` or `IP address`. */
  readonly kind: 'CIDR' | 'IP range' | 'IP address';
  /** The reason, to follow a colon: no capital, no period. */
  readonly reason: string;
}

const rule = createIpRule();

/**
 * Says why `parseIpRule` refuses a text, or `undefined` when it does not. Slow next to it: for error messages. @throws TypeError
 * for what is no string.
 */
export function explainIpRule(text: string): IpRuleError | undefined {
  if (parseIpRule(text, rule) !== 0) return undefined;
  const slash = text.indexOf('/');
  const dash = text.indexOf('-');
  const general = explainCharacters(text);
  if (slash !== -1) return { kind: 'CIDR', reason: general ?? explainNetwork(text, slash) };
  if (dash !== -1 && isAddressLike(text.slice(0, dash))) {
    return { kind: 'IP range', reason: general ?? explainRange(text, dash) };
  }
  return { kind: 'IP address', reason: general ?? explainAddress(text) };
}

function explainCharacters(text: string): string | undefined {
  if (text === '') return 'it is empty';
  if (text.length > MAX_RULE_LENGTH) {
    return `it has ${text.length} characters, a rule has at most ${MAX_RULE_LENGTH}`;
  }
  if (text.includes('#') || text.includes(';')) return 'comments are not supported';
  if (text.includes(',')) return 'it holds a comma, write one rule per entry';
  if (/\s/.test(text)) return 'it holds white space';
  if (text.includes('%')) return 'a zone id has no meaning in a rule';
  if (text.includes('*'))
    return `wildcards are not supported, write ${wildcardAsNetwork(text) ?? 'a CIDR network'}`;
  if (text.includes('[')) return 'brackets are not supported';
  return undefined;
}

function wildcardAsNetwork(text: string): string | undefined {
  const match = /^((?:\d{1,3}\.){1,3})\*(?:\.\*)*$/.exec(text);
  const octets = match?.[1]?.slice(0, -1).split('.');
  if (octets === undefined) return undefined;
  const address = [...octets, '0', '0', '0'].slice(0, 4).join('.');
  return parseIp(address, rule.first) === 0 ? undefined : `${address}/${octets.length * 8}`;
}

function explainNetwork(text: string, slash: number): string {
  const address = text.slice(0, slash);
  const family = parseIp(address, rule.first);
  if (family === 0) return explainAddress(address);
  const written = text.slice(slash + 1);
  if (written === '') return 'the prefix is missing';
  if (/^\d{4,}$/.test(written) && !written.startsWith('0')) return overLong(address);
  const prefix = parsePrefix(text, slash + 1);
  if (prefix === -1)
    return `prefix ${JSON.stringify(written)} is not a decimal number without leading zeros`;
  const mapped = family === 4 && address.includes(':');
  if (mapped && prefix < 96)
    return 'prefix is under 96, so it covers more than IPv4-mapped addresses';
  return overLong(address);
}

function overLong(address: string): string {
  return `prefix is over ${address.includes(':') ? '128' : '32'}`;
}

function explainRange(text: string, dash: number): string {
  const firstText = text.slice(0, dash);
  const lastText = text.slice(dash + 1);
  const first = parseIp(firstText, rule.first);
  if (first === 0) return explainAddress(firstText);
  const last = parseIp(lastText, rule.last);
  if (last === 0) return explainAddress(lastText);
  if (first !== last) return 'its ends are of different families';
  return isOrdered(rule, first === 4 ? 1 : 4)
    ? 'it is not a range'
    : 'its first address is after its last';
}

function explainAddress(text: string): string {
  const shown = JSON.stringify(text);
  if (/^(?:\d+\.)*0\d+(?:\.\d+)*$/.test(text)) return `${shown} has an octet with a leading zero`;
  if (/^\d+(?:\.\d+){3}$/.test(text)) return `${shown} has an octet over 255`;
  return `${shown} is not an IPv4 or IPv6 address`;
}

function isAddressLike(text: string): boolean {
  return text.includes(':') || /^[\d.]*$/.test(text);
}
