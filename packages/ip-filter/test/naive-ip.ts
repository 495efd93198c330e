/**
 * IP addresses, rules and filters written the slow and obvious way, with split and bigint, to check the fast ones
 * against. Shares no code with them.
 */

export interface NaiveAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
}

export interface NaiveRule {
  readonly text: string;
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

export interface NaiveResult {
  readonly allowed: boolean;
  readonly reason: string;
  readonly matchedRule?: string;
}

export function naiveParse(text: string): NaiveAddress | undefined {
  const quad = naiveQuad(text);
  if (quad !== undefined) return { family: 4, value: quad };
  const value = naiveIpv6(text);
  if (value === undefined) return undefined;
  if (value >> 32n === 0xffffn) return { family: 4, value: value & 0xffffffffn };
  return { family: 6, value };
}

function naiveQuad(text: string): bigint | undefined {
  const octets = text.split('.');
  if (octets.length !== 4) return undefined;
  let value = 0n;
  for (const octet of octets) {
    if (!/^(?:0|[1-9][0-9]{0,2})$/.test(octet) || Number(octet) > 255) return undefined;
    value = value * 256n + BigInt(octet);
  }
  return value;
}

function naiveIpv6(text: string): bigint | undefined {
  const lastColon = text.lastIndexOf(':');
  if (lastColon === -1) return undefined;
  const quad = naiveQuad(text.slice(lastColon + 1));
  if (quad !== undefined) {
    const high = (quad >> 16n).toString(16);
    const low = (quad & 0xffffn).toString(16);
    return naiveIpv6(`${text.slice(0, lastColon + 1)}${high}:${low}`);
  }
  const sides = text.split('::');
  if (sides.length > 2) return undefined;
  const [left, right] = sides.map((side) => (side === '' ? [] : side.split(':')));
  const groups = [...left!, ...(right ?? [])];
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return undefined;
  if (right === undefined ? groups.length !== 8 : groups.length > 7) return undefined;
  const zeros = Array.from({ length: 8 - groups.length }, () => '0');
  return [...left!, ...zeros, ...(right ?? [])].reduce(
    (value, group) => value * 65536n + BigInt(`0x${group}`),
    0n,
  );
}

export function naiveRule(text: string): NaiveRule {
  if (text.includes('-')) {
    const [first, last] = text.split('-').map((end) => naiveParse(end)!);
    return { text, family: first!.family, first: first!.value, last: last!.value };
  }
  const [address, prefix] = text.split('/');
  const { family, value } = naiveParse(address!)!;
  const width = family === 4 ? 32n : 128n;
  const written = prefix === undefined ? width : BigInt(prefix);
  const bits = family === 4 && prefix !== undefined && text.includes(':') ? written - 96n : written;
  const size = 1n << (width - bits);
  const first = (value / size) * size;
  return { text, family, first, last: first + size - 1n };
}

/** The rule that covers the fewest addresses, on a tie the first. */
function best(rules: readonly NaiveRule[], address: NaiveAddress): NaiveRule | undefined {
  let found: NaiveRule | undefined;
  for (const rule of rules) {
    if (rule.family !== address.family) continue;
    if (address.value < rule.first || address.value > rule.last) continue;
    if (found === undefined || rule.last - rule.first < found.last - found.first) found = rule;
  }
  return found;
}

export function naiveCheck(
  denyList: readonly NaiveRule[],
  allowList: readonly NaiveRule[],
  defaultAction: 'allow' | 'deny',
  address: NaiveAddress,
): NaiveResult & { readonly allowListed: boolean } {
  const denied = best(denyList, address);
  const allowed = best(allowList, address);
  const allowListed = allowed !== undefined;
  if (denied)
    return { allowed: false, reason: 'denylisted', matchedRule: denied.text, allowListed };
  if (allowed)
    return { allowed: true, reason: 'allowlisted', matchedRule: allowed.text, allowListed };
  return { allowed: defaultAction === 'allow', reason: 'default', allowListed };
}

/** An address written in one of its many ways, chosen by `style`. */
export function naiveFormat({ family, value }: NaiveAddress, style: number): string {
  const hex = value.toString(16).padStart(32, '0');
  const groups = hex.match(/.{4}/g)!;
  const quad = [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.');
  if (family === 4) {
    if (style % 4 < 2) return quad;
    return style % 4 === 2 ? `::ffff:${quad}` : `::FFFF:${groups[6]!}:${groups[7]!}`;
  }
  switch (style % 4) {
    case 0:
      return groups.join(':');
    case 1:
      return groups.map((group) => group.replace(/^0{1,3}/, '').toUpperCase()).join(':');
    case 2:
      return `${groups.slice(0, 6).join(':')}:${quad}`;
    default:
      return groups
        .map((group) => group.replace(/^0{1,3}/, ''))
        .join(':')
        .replace(/(?:^|:)0(?::0)+(?::|$)/, '::');
  }
}
