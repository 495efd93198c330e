import { matchesGlob } from './matches-glob.js';

describe('matchesGlob', () => {
  it.each([
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['**', 'abc', true],
    ['a', 'a', true],
    ['a', 'A', false],
    ['a', 'ab', false],
    ['b', 'ab', false],
    ['a*c', 'ac', true],
    ['a*c', 'abcbc', true],
    ['a*c', 'abcb', false],
    ['*b*', 'abc', true],
    ['?', '', false],
    ['?', 'a', true],
    ['a?c', 'abc', true],
    ['a?*', 'a', false],
    ['*a?', 'aab', true],
    ['\\*', '*', true],
    ['\\*', 'a', false],
    ['\\?', '?', true],
    ['\\?', 'a', false],
    ['\\\\', '\\', true],
    ['\\a', 'a', true],
    ['a\\', 'a\\', true],
    ['a\\', 'a', false],
    ['*\\*', 'ab*', true],
    ['*\\*', 'ab', false],
    ['[ab]', 'a', false],
    ['[ab]', '[ab]', true],
    ['a.c', 'abc', false],
    ['a\nc', 'a\nc', true],
    ['a*c', 'a\n\nc', true],
  ])('%j against %j: %p', (pattern, text, expected) => {
    expect(matchesGlob(pattern, text)).toBe(expected);
  });

  it.each([
    ['stars and letters', '*a'.repeat(50) + 'b'],
    ['stars only', '*'.repeat(10_000) + 'b'],
    ['stars and wildcards', '*?'.repeat(500) + 'b'],
  ])('does not explode on %s', (_, pattern) => {
    const counted = countingText('a'.repeat(10_000));
    expect(matchesGlob(pattern, counted.text)).toBe(false);
    expect(counted.reads()).toBeLessThan(10 * 10_000 + pattern.length * 1_000);
  });
});

/** A text that counts how often a character of it is read, so that the work is measured and not the time. */
function countingText(text: string): { readonly text: string; readonly reads: () => number } {
  let reads = 0;
  const counting = new Proxy(Object(text) as object, {
    get(target, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads++;
      return Reflect.get(target, name) as unknown;
    },
  });
  return { text: counting as unknown as string, reads: () => reads };
}
