import { formatIp } from '@frontmcp/guard-core';

/** The seeded random numbers, rules and addresses that the IP benchmark runs on. */

export type Random = () => number;

/** A generator of unsigned 32-bit integers (xorshift32). The same seed gives the same numbers everywhere. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>>= 0);
  };
}

export interface RuleParts {
  readonly family: 4 | 6;
  /** 1 word for IPv4, 4 for IPv6. */
  readonly words: readonly number[];
  readonly prefix: number;
}

/** Top 16 bits under which registries hand out IPv6 space today. */
const ALLOCATED_IPV6 = [
  0x2001, 0x2003, 0x2400, 0x2401, 0x2402, 0x2403, 0x2404, 0x2405, 0x2406, 0x2407, 0x2408,
]
  .concat([
    0x2409, 0x240a, 0x240e, 0x2600, 0x2601, 0x2602, 0x2603, 0x2604, 0x2605, 0x2606, 0x2607, 0x2800,
    0x2801,
  ])
  .concat([
    0x2803, 0x2804, 0x2806, 0x2a00, 0x2a01, 0x2a02, 0x2a03, 0x2a04, 0x2a05, 0x2a06, 0x2a07, 0x2a09,
    0x2a0a,
  ])
  .concat([0x2a0b, 0x2a0c, 0x2a0d, 0x2a0e, 0x2a0f, 0x2a10, 0x2a11, 0x2a12, 0x2a13, 0x2a14, 0x2c0f]);

/** 70 % IPv4 (40 % /24, 30 % /32, the rest /16 to /31), 30 % IPv6 (/32, /48, /64 and /128) in allocated space. */
export function randomRule(random: Random): RuleParts {
  if (random() % 10 < 7) {
    const kind = random() % 10;
    const prefix = kind < 4 ? 24 : kind < 7 ? 32 : 16 + (random() % 16);
    return { family: 4, words: mask([random()], prefix), prefix };
  }
  const prefix = [32, 48, 48, 48, 48, 64, 64, 64, 128, 128][random() % 10] as number;
  return { family: 6, words: mask(randomIpv6(random), prefix), prefix };
}

/** A random IPv6 address in allocated space. */
export function randomIpv6(random: Random): number[] {
  const top = ALLOCATED_IPV6[random() % ALLOCATED_IPV6.length] as number;
  return [((top << 16) | (random() >>> 16)) >>> 0, random(), random(), random()];
}

/** An address inside a rule. */
function addressIn(rule: RuleParts, random: Random): { family: 4 | 6; words: number[] } {
  const words = rule.words.map((word, index) => {
    const kept = rule.prefix - index * 32;
    return kept >= 32 ? word : kept <= 0 ? random() : (word | (random() >>> kept)) >>> 0;
  });
  return { family: rule.family, words };
}

/** The text of a rule, as a configuration has it. */
export function ruleText({ family, words, prefix }: RuleParts): string {
  return flat(`${formatIp(family, words)}/${prefix}`);
}

/** The text of an address that one of the rules covers. */
export function hit(rules: readonly RuleParts[], random: Random): string {
  const { family, words } = addressIn(rules[random() % rules.length] as RuleParts, random);
  return flat(formatIp(family, words));
}

/** The string in one piece, as it comes from a socket or a file, not as a tree of concatenations. */
export function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

function mask(words: number[], prefix: number): number[] {
  return words.map((word, index) => {
    const kept = prefix - index * 32;
    return kept >= 32 ? word : kept <= 0 ? 0 : (word & ~(0xffffffff >>> kept)) >>> 0;
  });
}
