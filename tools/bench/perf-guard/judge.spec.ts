import { judge, KINDS } from './judge.ts';

describe('judge', () => {
  it('says what moved, and by how much', () => {
    const { faults } = judge('bytes', { 'a check': 412 }, { 'a check': 330 });
    expect(faults).toEqual(['a check allocates 412 B, bound 330 B']);
  });

  it('lets a figure reach its bound', () => {
    for (const kind of KINDS) expect(judge(kind, { it: 1 }, { it: 1 }).faults).toEqual([]);
  });

  it.each([
    ['commands', 'it sends 2 commands, bound 1'],
    ['round trips', 'it takes 2 round trips, bound 1'],
    ['kilobytes', 'it is 2 KB gzipped, bound 1 KB'],
  ] as const)('bounds %s from above', (kind, sentence) => {
    expect(judge(kind, { it: 2 }, { it: 1 })).toEqual({ faults: [sentence], lines: [] });
  });

  it('bounds a speed from below', () => {
    const bounds = { it: 2 };
    expect(judge('times as fast', { it: 3 }, bounds).faults).toEqual([]);
    expect(judge('times as fast', { it: 1 }, bounds).faults).toEqual([
      'it: 1 × as fast, bound 2 ×',
    ]);
  });

  it.each([...KINDS])('lets nothing pass that is no number: %s', (kind) => {
    expect(judge(kind, { it: NaN }, { it: 1 }).faults).toHaveLength(1);
  });

  it('lets no figure go without a bound, and no bound without a figure', () => {
    expect(judge('bytes', { a: 1 }, { b: 1 }).faults).toEqual([
      'b: bounded in bytes, but not measured',
      'a: measured in bytes, but not bounded',
    ]);
  });
});
