import { matchesRange } from './matches-range.ts';

describe('matchesRange', () => {
  it.each([
    ['^0.1.0', '0.1.0', true],
    ['^0.1.0', '0.1.9', true],
    ['^0.1.2', '0.1.1', false],
    ['^0.1.0', '0.2.0', false],
    ['^0.1.0', '1.1.0', false],
    ['^1.2.3', '1.3.0', true],
    ['^1.2.3', '1.2.2', false],
    ['^1.2.3', '2.2.3', false],
    ['^0.0.3', '0.0.3', true],
    ['^0.0.3', '0.0.4', false],
    ['^0.0.0', '0.0.0', true],
    ['^0.0.0', '0.0.1', false],
    ['1.2.3', '1.2.3', true],
    ['1.2.3', '1.2.4', false],
    ['*', '7.0.0', true],
  ])('%s and %s: %s', (range, version, matches) => {
    expect(matchesRange(range, version)).toBe(matches);
  });

  it.each(['~1.2.3', '>=1.2.3', '^1.2', 'workspace:*'])('refuses %s', (range) => {
    expect(() => matchesRange(range, '1.2.3')).toThrow('Cannot read the version');
  });
});
