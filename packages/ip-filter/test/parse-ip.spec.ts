import { canonicalIp, parseIp } from '@frontmcp/guard-core';
import fc from 'fast-check';
import { naiveFormat, naiveParse } from './naive-ip.js';
import type { NaiveAddress } from './naive-ip.js';

const words = new Uint32Array(4);

function parse(text: string): NaiveAddress | undefined {
  const family = parseIp(text, words);
  if (family === 0) return undefined;
  const used = [...words.subarray(0, family === 4 ? 1 : 4)];
  return { family, value: used.reduce((value, word) => (value << 32n) | BigInt(word), 0n) };
}

const word = fc.oneof(fc.nat(0xffffffff), fc.constantFrom(0, 1, 0xffff, 0xffffffff, 0x80000000));
const ipv6 = fc
  .tuple(word, word, word, word)
  .map((parts) => parts.reduce((value, part) => (value << 32n) | BigInt(part), 0n));

describe('parseIp against a naive parser', () => {
  it('reads every spelling of an address as that address', () => {
    fc.assert(
      fc.property(ipv6, word, fc.nat(3), (wide, narrow, style) => {
        const mapped = wide >> 32n === 0xffffn;
        const six: NaiveAddress = mapped
          ? { family: 4, value: wide & 0xffffffffn }
          : { family: 6, value: wide };
        const four: NaiveAddress = { family: 4, value: BigInt(narrow) };
        for (const address of [six, four]) {
          const text = naiveFormat(address, style);
          const parsed = parse(text);
          if (parsed?.family !== address.family || parsed.value !== address.value) return false;
          if (canonicalIp(canonicalIp(text)) !== canonicalIp(text)) return false;
        }
        return true;
      }),
      { seed: 1, numRuns: 10_000 },
    );
  });

  it('gives equal addresses one canonical text, and different ones different texts', () => {
    fc.assert(
      fc.property(ipv6, ipv6, fc.nat(3), fc.nat(3), (left, right, styleLeft, styleRight) => {
        const one = canonicalIp(naiveFormat({ family: 6, value: left }, styleLeft));
        const same = canonicalIp(naiveFormat({ family: 6, value: left }, styleRight));
        const other = canonicalIp(naiveFormat({ family: 6, value: right }, styleRight));
        return one === same && (one === other) === (left === right);
      }),
      { seed: 2, numRuns: 5_000 },
    );
  });

  it('agrees on whether a text is an address, and on its value', () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(...Array.from('0129afF:::...')), maxLength: 16 }),
      fc.string({ unit: fc.constantFrom('0', '1', '255', '256', '01', '.', '.', '.', ':') }),
      fc.string({ unit: fc.constantFrom('0', '1', 'ffff', '10000', ':', ':', '::', '1.2.3.4') }),
      fc.string({ unit: 'binary', maxLength: 12 }),
    );
    fc.assert(
      fc.property(text, (candidate) => {
        const parsed = parse(candidate);
        const expected = naiveParse(candidate);
        return parsed?.family === expected?.family && parsed?.value === expected?.value;
      }),
      { seed: 3, numRuns: 40_000 },
    );
  });
});
