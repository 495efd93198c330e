import { msUntilEarly } from './early-in-a-minute.ts';

const NOON = Date.UTC(2026, 0, 1, 12);

describe('msUntilEarly', () => {
  it.each([
    ['at the start of a minute', 0, 0],
    ['well before its end', 57_999, 0],
    ['2 s before its end', 58_000, 2_000],
    ['1 ms before its end', 59_999, 1],
    ['at the start of the next', 60_000, 0],
  ])('%s', (_, ms, expected) => {
    expect(msUntilEarly(NOON + ms)).toBe(expected);
  });
});

it('no test begins when a minute is about to end', () => {
  expect(msUntilEarly(Date.now())).toBe(0);
});
