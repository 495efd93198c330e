import { execFileSync } from 'node:child_process';
import { cases } from './cases.ts';

describe('package boundaries', () => {
  let refused: string[][];

  beforeAll(() => {
    const output = execFileSync(process.execPath, ['tools/boundaries/lint-cases.ts'], {
      encoding: 'utf8',
    });
    refused = JSON.parse(output) as string[][];
  }, 120_000);

  it.each(cases.map((boundary, index) => ({ ...boundary, index })))('$title', ({ index, rule }) => {
    expect(refused[index]).toEqual(rule === undefined ? [] : [rule]);
  });
});
