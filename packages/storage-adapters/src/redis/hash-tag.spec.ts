import { hashTagOf, haveOneHashTag } from './hash-tag.js';

test.each([
  ['key', 'key'],
  ['', ''],
  ['{a}', 'a'],
  ['x{a}y', 'a'],
  ['{}a', '{}a'],
  ['{}{a}', '{}{a}'],
  ['{a', '{a'],
  ['a}', 'a}'],
  ['}{a}', 'a'],
  ['{{a}}', '{a'],
  ['{a}{b}', 'a'],
  ['a{b}c}', 'b'],
])('of %j it is %j', (key, tag) => {
  expect(hashTagOf(key)).toBe(tag);
});

test('keys have one when all of theirs are the same', () => {
  expect(haveOneHashTag([])).toBe(true);
  expect(haveOneHashTag(['a'])).toBe(true);
  expect(haveOneHashTag(['{a}1', 'a', '2{a}'])).toBe(true);
  expect(haveOneHashTag(['{a}1', '{a}2', '{b}3'])).toBe(false);
});
