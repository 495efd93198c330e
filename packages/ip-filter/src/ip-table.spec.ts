import { formatIp } from '@frontmcp/guard-core';
import { createRandom } from '../test/random.js';
import { IpTable } from './ip-table.js';
import { readRules } from './read-rules.js';
import { deciding } from './verdict.js';

const RULES = 20_000;
const BYTES_PER_RULE = 44;
const ROOT_BYTES = 65_537 * 4;
/** What a family takes however few its rules are: its root indexes and the interval at address 0. */
const FIXED_BYTES = { v4: ROOT_BYTES + 8, v6: 2 * ROOT_BYTES + 20 };

function compile(denyList: string[], allowList: string[] = []): IpTable {
  const { v4, v6 } = readRules(denyList, allowList);
  return new IpTable(v4, v6, denyList.length);
}

function bytesPerRule(denyList: string[], allowList: string[] = []): number {
  const rules = [...denyList, ...allowList];
  const fixed =
    (rules.some((rule) => rule.includes('.')) ? FIXED_BYTES.v4 : 8) +
    (rules.some((rule) => rule.includes(':')) ? FIXED_BYTES.v6 : 20);
  return (compile(denyList, allowList).byteLength - fixed) / rules.length;
}

function list(count: number, rule: (i: number) => string): string[] {
  return Array.from({ length: count }, (_, i) => rule(i));
}

function v6(high: number, low: number): string {
  return formatIp(6, [0x20010db8, 0, high, low]);
}

const adversarial: Record<string, [string[], string[]?]> = {
  'sibling /128 pairs': [
    list(RULES, (i) => formatIp(6, [(i >>> 1) * 0x1f351, i >>> 1, i >>> 1, i % 2 === 0 ? 4 : 6])),
  ],
  'isolated /128s': [list(RULES, (i) => formatIp(6, [i * 0x1f351, i, i, 7]))],
  'isolated /128s in one bucket': [list(RULES, (i) => v6(i, 7))],
  'isolated /32s': [list(RULES, (i) => formatIp(4, [i * 0x1f351 + 1]))],
  'nested IPv6 ranges': [list(RULES, (i) => `${v6(i, 0)}-${v6(0xffff0000 - i, 0)}`)],
  'nested IPv4 ranges': [
    list(RULES, (i) => `${formatIp(4, [i])}-${formatIp(4, [0xffff0000 - i])}`),
  ],
  'ranges that all overlap, each larger than the last': [
    list(RULES, (i) => `${v6(i, 0)}-${v6(0x100000 + 3 * i, 0)}`),
  ],
  'ranges that all overlap, each smaller than the last': [
    list(RULES, (i) => `${v6(3 * i, 0)}-${v6(0x100000 + i, 0)}`),
  ],
  'identical rules': [list(RULES, () => '2001:db8::/32')],
  'deny and allow rules that cut each other': [
    list(RULES / 2, (i) => `${v6(4 * i, 0)}-${v6(4 * i + 1, 0)}`),
    list(RULES / 2, (i) => `${v6(4 * i + 1, 0)}-${v6(4 * i + 2, 0)}`),
  ],
  'every prefix of one address, again and again': [list(RULES, (i) => `2001:db8::/${i % 129}`)],
  'both families': [
    list(RULES, (i) =>
      i % 2 === 0 ? formatIp(4, [i * 0x1f351]) : formatIp(6, [i * 0x1f351, 1, 2, 3]),
    ),
  ],
};

describe('IpTable', () => {
  it.each(Object.entries(adversarial))(
    'needs at most 44 bytes a rule for %s',
    (_name, [deny, allow]) => {
      expect(bytesPerRule(deny, allow)).toBeLessThanOrEqual(BYTES_PER_RULE);
    },
  );

  it('needs 20 bytes an IPv6 interval and 8 an IPv4 one, so that the bound is not met by luck', () => {
    expect(compile([]).byteLength).toBe(28);
    expect(compile(['2001:db8::1']).byteLength).toBe(28 + 2 * 20);
    expect(compile(['10.0.0.1']).byteLength).toBe(28 + 2 * 8);
    expect(bytesPerRule(adversarial['isolated /128s']![0])).toBeGreaterThan(38);
  });

  it('compiles 50,000 rules that are all nested, and finds the innermost', () => {
    const count = 50_000;
    const rules = list(count, (i) => `${v6(0, i)}-${v6(0, 0xffffffff - i)}`);
    const table = compile(rules);
    const random = createRandom(3);
    for (let i = 0; i < 1_000; i++) {
      const at = random() % count;
      expect(deciding(table.find(v6(0, at)))).toBe(at);
      expect(deciding(table.find(v6(0, 0xffffffff - at)))).toBe(at);
    }
    expect(deciding(table.find(v6(0, 0x80000000)))).toBe(count - 1);
  });

  it('compiles 100,000 identical rules, and finds the first', () => {
    const table = compile(list(100_000, () => '10.0.0.0/8'));
    expect(deciding(table.find('10.1.2.3'))).toBe(0);
  });
});
