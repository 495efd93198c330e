import { createHash } from 'node:crypto';

import { sha1 } from './sha1.js';

test.each([
  ['', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
  ['abc', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
  ['return 1', 'e0e1f9fabfc9d4800c877a703b823ac0578ff8db'],
])('of %j', (text, sha) => {
  expect(sha1(text)).toBe(sha);
});

test('is what Node says, of texts of every length around a block and of any characters', () => {
  for (let length = 0; length < 300; length++) {
    const text = Array.from({ length }, (_, i) =>
      String.fromCodePoint(33 + ((i * 7919) % 50_000)),
    ).join('');
    expect(sha1(text)).toBe(createHash('sha1').update(text).digest('hex'));
  }
  const long = 'a'.repeat(1_000_000);
  expect(sha1(long)).toBe('34aa973cd4c4daa4f61eeb2bdbad27316534016f');
});
