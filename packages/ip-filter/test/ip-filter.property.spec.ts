import { IpFilter } from '../src/index.js';
import { naiveCheck, naiveFormat, naiveRule } from './naive-ip.js';
import type { NaiveAddress, NaiveRule } from './naive-ip.js';
import { createRandom } from './random.js';

const RULE_SETS = 2_000;
const ADDRESSES_PER_SET = 500;

type Random = () => number;

/** A small part of the address space in which rules meet often, moved to another place by each set of rules. */
interface Universe {
  readonly family: 4 | 6;
  readonly base: bigint;
  readonly size: bigint;
}

function universes(random: Random): Universe[] {
  const wide = [0n, 1n, 0x20010db8n, 0xffffffffn][random() % 4]! << 96n;
  const bits6 = [6n, 20n, 40n, 100n][random() % 4]!;
  const bits4 = [6n, 12n, 24n, 32n][random() % 4]!;
  const base4 = (BigInt(random()) >> bits4) << bits4;
  const top6 = random() % 3 === 0 ? (1n << 128n) - (1n << bits6) : (wide >> bits6) << bits6;
  return [
    { family: 4, base: base4, size: 1n << bits4 },
    { family: 6, base: top6, size: 1n << bits6 },
  ];
}

function below(limit: bigint, random: Random): bigint {
  const value =
    (BigInt(random()) << 96n) |
    (BigInt(random()) << 64n) |
    (BigInt(random()) << 32n) |
    BigInt(random());
  return value % limit;
}

function randomRule(universe: Universe, random: Random): string {
  const { family, base, size } = universe;
  const width = family === 4 ? 32 : 128;
  const at = { family, value: base + below(size, random) };
  switch (random() % 4) {
    case 0: {
      const other = base + below(size, random);
      const [first, last] = at.value < other ? [at.value, other] : [other, at.value];
      return `${naiveFormat({ family, value: first }, random())}-${naiveFormat({ family, value: last }, random())}`;
    }
    case 1:
      return naiveFormat(at, random());
    default: {
      const spread = size.toString(2).length;
      const prefix = Math.max(0, width - (random() % (spread + 1)));
      const text = naiveFormat(at, random());
      return `${text}/${family === 4 && text.includes(':') ? prefix + 96 : prefix}`;
    }
  }
}

/** An address in a universe or just outside; every other one at an edge of a rule. */
function randomAddress(
  universe: Universe,
  rules: readonly NaiveRule[],
  random: Random,
): NaiveAddress {
  const { family, base, size } = universe;
  const rule = rules[random() % rules.length];
  if (random() % 2 === 0 || rule?.family !== family)
    return { family, value: base + below(size, random) };
  const edge = [rule.first - 1n, rule.first, rule.last, rule.last + 1n][random() % 4]!;
  const limit = family === 4 ? 1n << 32n : 1n << 128n;
  return { family, value: ((edge % limit) + limit) % limit };
}

function isMapped({ family, value }: NaiveAddress): boolean {
  return family === 6 && value >> 32n === 0xffffn;
}

it('agrees with a linear scan on a million random addresses over random rules, nested and overlapping', () => {
  const random = createRandom(20_010_608);
  let checked = 0;
  let matched = 0;
  for (let set = 0; set < RULE_SETS; set++) {
    const spaces = universes(random);
    const list = (most: number): string[] =>
      Array.from({ length: random() % most }, () => randomRule(spaces[random() % 2]!, random));
    const denyList = list(set % 20 === 0 ? 60 : 9);
    const allowList = list(set % 20 === 0 ? 60 : 9);
    const defaultAction = random() % 2 === 0 ? 'allow' : 'deny';
    const filter = new IpFilter({ denyList, allowList, defaultAction });
    const deny = denyList.map(naiveRule);
    const allow = allowList.map(naiveRule);
    const all = [...deny, ...allow];
    for (let i = 0; i < ADDRESSES_PER_SET; i++) {
      const address = randomAddress(spaces[random() % 2]!, all, random);
      if (isMapped(address)) continue;
      const ip = naiveFormat(address, random());
      const { allowListed, ...expected } = naiveCheck(deny, allow, defaultAction, address);
      const result = filter.check(ip);
      checked++;
      if (expected.reason !== 'default') matched++;
      if (
        result.allowed !== expected.allowed ||
        result.reason !== expected.reason ||
        result.matchedRule !== expected.matchedRule ||
        filter.isAllowListed(ip) !== allowListed
      ) {
        throw new Error(JSON.stringify({ denyList, allowList, ip, result, expected, allowListed }));
      }
    }
  }
  expect(checked).toBeGreaterThan(990_000);
  expect(matched / checked).toBeGreaterThan(0.4);
});

it.each([300, 3_000, 20_000])(
  'agrees with a linear scan on %i rules, where the index is used',
  (count) => {
    const random = createRandom(count);
    const spaces = [
      { family: 4, base: 0n, size: 1n << 32n },
      { family: 6, base: 0x2001n << 112n, size: 1n << 112n },
      { family: 6, base: 0x20010db8n << 96n, size: 1n << 30n },
      { family: 4, base: 0x0a000000n, size: 1n << 14n },
    ] as const;
    const rules = Array.from({ length: count }, () =>
      randomRule(spaces[random() % 4]!, random),
    ).filter((text) => !(text.includes('/') && Number(text.split('/')[1]) % 96 < 8));
    const half = rules.length >>> 1;
    const [denyList, allowList] = [rules.slice(0, half), rules.slice(half)];
    const filter = new IpFilter({ denyList, allowList });
    const deny = denyList.map(naiveRule);
    const allow = allowList.map(naiveRule);
    for (let i = 0; i < 1_000_000 / count; i++) {
      const address = randomAddress(spaces[random() % 4]!, i % 2 === 0 ? deny : allow, random);
      const ip = naiveFormat(address, random());
      const { allowListed, ...expected } = naiveCheck(deny, allow, 'allow', address);
      expect([ip, filter.check(ip), filter.isAllowListed(ip)]).toEqual([ip, expected, allowListed]);
    }
  },
);
