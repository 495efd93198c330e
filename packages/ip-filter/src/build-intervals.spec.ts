import { buildIntervals } from './build-intervals.js';
import { readRules } from './read-rules.js';
import { deciding, isAllowCovered, NO_RULE } from './verdict.js';

/** The IPv4 intervals of two lists, as `start verdict` lines. */
function intervals(denyList: string[], allowList: string[] = []): string[] {
  const rules = [...denyList, ...allowList];
  const table = buildIntervals(readRules(denyList, allowList).v4, denyList.length);
  const lines: string[] = [];
  for (let at = 0; at < table.length; at += 2) {
    const verdict = table[at + 1]!;
    const rule = verdict === NO_RULE ? 'none' : rules[deciding(verdict)]!;
    lines.push(`${table[at]!} ${rule}${isAllowCovered(verdict) ? ' +allow' : ''}`);
  }
  return lines;
}

describe('buildIntervals', () => {
  it('covers the whole space by one interval without rules', () => {
    expect(intervals([])).toEqual(['0 none']);
  });

  it('starts and ends an interval where a rule does', () => {
    expect(intervals(['0.0.0.4-0.0.0.6'])).toEqual(['0 none', '4 0.0.0.4-0.0.0.6', '7 none']);
  });

  it('needs no interval before the first or after the last address', () => {
    expect(intervals(['0.0.0.0/1', '128.0.0.0/1'])).toEqual([
      '0 0.0.0.0/1',
      '2147483648 128.0.0.0/1',
    ]);
  });

  it('returns to the outer rule after an inner one', () => {
    expect(intervals(['0.0.0.0/28', '0.0.0.4/30', '0.0.0.5'])).toEqual([
      '0 0.0.0.0/28',
      '4 0.0.0.4/30',
      '5 0.0.0.5',
      '6 0.0.0.4/30',
      '8 0.0.0.0/28',
      '16 none',
    ]);
  });

  it('cuts partly overlapping ranges where the smaller one begins and ends', () => {
    expect(intervals(['0.0.0.1-0.0.0.5', '0.0.0.4-0.0.0.9', '0.0.0.8-0.0.0.20'])).toEqual([
      '0 none',
      '1 0.0.0.1-0.0.0.5',
      '6 0.0.0.4-0.0.0.9',
      '10 0.0.0.8-0.0.0.20',
      '21 none',
    ]);
  });

  it('makes no interval of a rule that never decides', () => {
    expect(intervals(['0.0.0.8/29', '0.0.0.8-0.0.0.15', '0.0.0.8/29'])).toEqual([
      '0 none',
      '8 0.0.0.8/29',
      '16 none',
    ]);
    expect(intervals(['0.0.0.0-0.0.0.3', '0.0.0.2-0.0.0.9', '0.0.0.4-0.0.0.7'])).toEqual([
      '0 0.0.0.0-0.0.0.3',
      '4 0.0.0.4-0.0.0.7',
      '8 0.0.0.2-0.0.0.9',
      '10 none',
    ]);
  });

  it('keeps under a deny rule whether an allow rule covers the interval', () => {
    expect(intervals(['0.0.0.4-0.0.0.9'], ['0.0.0.2-0.0.0.5', '0.0.0.8-0.0.0.8'])).toEqual([
      '0 none',
      '2 0.0.0.2-0.0.0.5 +allow',
      '4 0.0.0.4-0.0.0.9 +allow',
      '6 0.0.0.4-0.0.0.9',
      '8 0.0.0.4-0.0.0.9 +allow',
      '9 0.0.0.4-0.0.0.9',
      '10 none',
    ]);
  });
});
