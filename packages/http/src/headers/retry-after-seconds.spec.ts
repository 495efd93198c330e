import { retryAfterSeconds } from './retry-after-seconds.js';

test.each([
  ['case B-23', 1, 1],
  ['case B-23', 1_001, 2],
  ['a whole second', 1_000, 1],
  ['now', 0, 1],
  ['before now', -5_000, 1],
  ['case B-06: never', Infinity, undefined],
  ['case B-06: nobody knows', NaN, undefined],
  ['what a header cannot write otherwise', Number.MAX_VALUE, 999_999_999_999_999],
])('%s: %d ms are %j', (_name, ms, seconds) => {
  expect(retryAfterSeconds(ms)).toBe(seconds);
});
