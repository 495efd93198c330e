import { goal, ratioOf, round, rowOf, type GroupResult } from './findings.ts';

const stated = { id: 'it', text: 'It is small', unit: 'B' };
const row = { ours: false, median: 1, low: 1, high: 1 };
const group: GroupResult = {
  id: 'group',
  title: 'Group',
  unit: 'ns',
  ratio: '× floor',
  rows: [
    { ...row, name: 'ours', ratio: 1.5 },
    { ...row, name: 'peer', ratio: 3 },
    { ...row, name: 'bare' },
  ],
};

describe('goal', () => {
  it.each([
    [{ atMost: 2 }, { a: 2 }, true],
    [{ atMost: 2 }, { a: 1, b: 2.01 }, false],
    [{ atLeast: 2 }, { a: 2, b: 3 }, true],
    [{ atLeast: 2 }, { a: 1.99, b: 3 }, false],
    [{ atMost: 2 }, { a: NaN }, false],
    [{ atLeast: 2 }, { a: NaN }, false],
    [{ atMost: 2 }, {}, false],
  ])('%j by %j is met: %s', (bound, figures, met) => {
    expect(goal({ ...stated, bound, figures }).met).toBe(met);
  });
});

describe('ratioOf', () => {
  it('is how two rows compare by their ratios to the floor', () => {
    expect(ratioOf(group, 'peer', 'ours')).toBe(2);
  });

  it('refuses rows that are not there or have no ratio', () => {
    expect(() => ratioOf(group, 'nobody', 'ours')).toThrow('there is no row "nobody"');
    expect(() => ratioOf(group, 'bare', 'ours')).toThrow('have no ratios to compare');
    expect(() => rowOf(group, 'nobody')).toThrow('Group: there is no row "nobody"');
  });
});

test('round keeps three digits that count, and all before the point', () => {
  expect([0.123456, 12.3456, 1234.5, 987654.3].map(round)).toEqual([0.123, 12.3, 1235, 987654]);
});
