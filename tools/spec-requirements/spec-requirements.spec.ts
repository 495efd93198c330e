import type { Requirement } from '../../docs/spec/requirements.ts';
import { checkRequirements } from './check-requirements.ts';
import { citationsIn } from './find-citations.ts';

const row = (id: string, status: Requirement['status']): Requirement => ({
  id,
  status,
  sentence: 'A limit is a limit',
  source: 'README',
});
const cite = (id: string) => ({ id, place: 'x.spec.ts:1' });

describe('checkRequirements', () => {
  it('passes what is tested or decided', () => {
    const rows = [
      row('RL-01', 'tested'),
      row('RL-03', 'deviates: ADR-007'),
      row('RL-04', 'tested'),
    ];
    const citations = [cite('RL-01'), cite('RL-03'), cite('RL-04')];
    expect(checkRequirements(rows, citations, ['007-why.md'])).toEqual({
      problems: [],
      counts: { tested: 2, deviates: 1 },
    });
  });

  it.each([
    ['an uncited row', [row('RL-01', 'tested')], [], 'no test cites [RL-01]'],
    ['an uncited deviation', [row('RL-01', 'deviates: ADR-007')], [], 'no test cites [RL-01]'],
    ['an unknown id', [], [cite('RL-09')], 'x.spec.ts:1 cites [RL-09]'],
    [
      'a deviation without its decision',
      [row('RL-01', 'deviates: ADR-008')],
      [cite('RL-01')],
      'there is no docs/adr/008-*.md',
    ],
    [
      'an id given twice',
      [row('RL-01', 'tested'), row('RL-01', 'tested')],
      [cite('RL-01')],
      'given twice',
    ],
    ['an id of another form', [row('rl1', 'tested')], [cite('rl1')], 'not of the form'],
  ])('refuses %s', (_, rows, citations, problem) => {
    const { problems } = checkRequirements(rows, citations, ['007-why.md']);
    expect(problems).toEqual([expect.stringContaining(problem)]);
  });
});

describe('citationsIn', () => {
  it('finds ids in titles and tables, with their line', () => {
    const text =
      "it('[RL-01] [RL-02] counts', f);\n\nit.each([\n  ['[SM-10] waits', 1],\n])('%s', f);";
    expect(citationsIn('a.spec.ts', text)).toEqual([
      { id: 'RL-01', place: 'a.spec.ts:1' },
      { id: 'RL-02', place: 'a.spec.ts:1' },
      { id: 'SM-10', place: 'a.spec.ts:4' },
    ]);
  });

  it('finds ids in templates, also behind a placeholder and on a later line', () => {
    const text = 'it(`[RL-01] counts`, f);\nit(`\n${a} [RL-02] ${b} [RL-03]`, f);';
    expect(citationsIn('a.spec.ts', text)).toEqual([
      { id: 'RL-01', place: 'a.spec.ts:1' },
      { id: 'RL-02', place: 'a.spec.ts:3' },
      { id: 'RL-03', place: 'a.spec.ts:3' },
    ]);
  });

  it('does not take a comment for a test', () => {
    const text =
      "// [RL-01]\n/* [RL-02]\n * [RL-03] */\nit('counts', f); // see [RL-04]\nf(/[RL-05]/);";
    expect(citationsIn('a.spec.ts', text)).toEqual([]);
  });
});
