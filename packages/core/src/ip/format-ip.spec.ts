import fc from 'fast-check';
import { formatIp } from './format-ip.js';
import { parseIp } from './parse-ip.js';

const word = fc.oneof(
  fc.nat(0xffffffff),
  fc.constantFrom(0, 0, 0, 1, 0xffff, 0x10000, 0xffff0000, 0x80000000, 0xffffffff),
);

describe('formatIp', () => {
  it.each([
    [[0x01020304], '1.2.3.4'],
    [[0], '0.0.0.0'],
    [[0xffffffff], '255.255.255.255'],
  ])('writes IPv4 %j as %s', (words, text) => {
    expect(formatIp(4, words)).toBe(text);
  });

  it.each([
    [[0, 0, 0, 0], '::'],
    [[0, 0, 0, 1], '::1'],
    [[0x00010000, 0, 0, 0], '1::'],
    [[0x20010db8, 0x00000001, 0x00010001, 0x00010001], '2001:db8:0:1:1:1:1:1'],
    [[0x20010db8, 0, 0x00010000, 0x00000001], '2001:db8::1:0:0:1'],
    [[0x20010000, 0x00000001, 0, 1], '2001:0:0:1::1'],
    [[0x0000abcd, 0x0000ef01, 0x00020003, 0x00040005], '0:abcd:0:ef01:2:3:4:5'],
    [[0, 0, 0xffff, 0x01020304], '::ffff:1.2.3.4'],
    [[0, 0, 0xfffe, 0x01020304], '::fffe:102:304'],
    [[0, 0, 0, 0x01020304], '::102:304'],
  ])('writes IPv6 %j as %s, by RFC 5952', (words, text) => {
    expect(formatIp(6, words)).toBe(text);
  });

  it('writes what parseIp reads back, for any words', () => {
    const back = new Uint32Array(4);
    fc.assert(
      fc.property(fc.tuple(word, word, word, word), (words) => {
        const mapped = words[0] === 0 && words[1] === 0 && words[2] === 0xffff;
        const family = parseIp(formatIp(6, words), back);
        const same = mapped ? back[0] === words[3] : words.every((word, i) => back[i] === word);
        return (
          family === (mapped ? 4 : 6) &&
          same &&
          parseIp(formatIp(4, words), back) === 4 &&
          back[0] === words[0]
        );
      }),
      { seed: 5952, numRuns: 20_000 },
    );
  });

  it('agrees with the canonical form of the URL standard on IPv6', () => {
    fc.assert(
      fc.property(fc.tuple(word, word, word, word), (words) => {
        const text = formatIp(6, words);
        if (text.includes('.')) return true;
        return text === new URL(`http://[${text}]/`).hostname.slice(1, -1);
      }),
      { seed: 5952, numRuns: 5_000 },
    );
  });
});
