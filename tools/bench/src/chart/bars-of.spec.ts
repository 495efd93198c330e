import { panelOf, shortName, shortTitle, sorted } from './bars-of.ts';

const row = { ours: false, median: 1, low: 1, high: 1 };
const group = {
  id: 'group',
  title: '100,000 keys, denied',
  unit: 'ns',
  rows: [
    { ...row, name: '@frontmcp/guard-x, as it is made', ours: true, ratio: 3, median: 30 },
    { ...row, name: 'peer (fixed)', ratio: 2, median: 20 },
    { ...row, name: 'bare', median: 10 },
  ],
};

describe('panelOf', () => {
  it('has a bar for each row that has a ratio', () => {
    expect(panelOf(group, { goal: 1.5 })).toEqual({
      title: '100k keys, denied',
      goal: 1.5,
      bars: [
        { name: 'guard-x', ours: true, value: 3 },
        { name: 'peer', ours: false, value: 2 },
      ],
    });
  });

  it('shows another figure, by other names, if asked to', () => {
    const value = ({ median }: { median: number }) => median;
    const name = (row: { name: string }) => row.name.slice(-4);
    const { bars } = panelOf(group, { title: '', value, name });
    expect(bars.map((bar) => [bar.name, bar.value])).toEqual([
      ['made', 30],
      ['xed)', 20],
      ['bare', 10],
    ]);
  });

  it('has no two bars of one name', () => {
    expect(() => panelOf(group, { name: () => 'it' })).toThrow(
      '100,000 keys, denied: two bars are called "it"',
    );
  });
});

test('sorted has the shortest bar first, and leaves its panel alone', () => {
  const panel = panelOf(group);
  expect(sorted(panel).bars.map(({ value }) => value)).toEqual([2, 3]);
  expect(panel.bars.map(({ value }) => value)).toEqual([3, 2]);
});

test('names and titles are short', () => {
  expect(shortName('@upstash/ratelimit (sliding)')).toBe('@upstash/ratelimit');
  expect(['1 key', '1,000 keys', '10,000,000 rules, in 1,000'].map(shortTitle)).toEqual([
    '1 key',
    '1k keys',
    '10M rules, in 1k',
  ]);
});
