import { checkSnippets } from './check-snippets.ts';
import { findSnippets } from './find-snippets.ts';

const fence = (info: string, ...code: string[]) => ['```' + info, ...code, '```'].join('\n');
const document = (...parts: string[]) => findSnippets('guide.md', parts.join('\n'));
const check = (...parts: string[]) =>
  checkSnippets(document(...parts).snippets, '.tmp/docs-snippets-spec');

describe('findSnippets', () => {
  it('takes `ts` and `ts run`, with the line of their code', () => {
    const { snippets, problems } = document('# Guide', fence('ts', 'a;', 'b;'), fence('ts run'));
    expect(problems).toEqual([]);
    expect(snippets).toEqual([
      { file: 'guide.md', line: 3, code: 'a;\nb;', run: false },
      { file: 'guide.md', line: 7, code: '', run: true },
    ]);
  });

  it('takes the indent of a list from the code', () => {
    expect(document('- one', '  ```ts', '  a;', '    b;', '  ```').snippets).toEqual([
      { file: 'guide.md', line: 3, code: 'a;\n  b;', run: false },
    ]);
  });

  it('leaves other languages alone', () => {
    expect(document(fence('sh', 'npm ci'), fence('', 'text'), fence('json', '{}'))).toEqual({
      snippets: [],
      problems: [],
    });
  });

  it.each(['ts nocheck', 'typescript', 'js', 'mjs', 'tsx'])('refuses a fence of "%s"', (info) => {
    expect(document('', fence(info, 'a;')).problems).toEqual([
      `guide.md:2: Use "ts" or "ts run" in place of "${info}"`,
    ]);
  });

  it('refuses a fence that is never closed', () => {
    expect(document('```ts', 'a;').problems).toEqual(['guide.md:1: The fence is never closed']);
  });
});

describe('checkSnippets', () => {
  it('passes code that compiles and runs, each snippet for itself', () => {
    const code = 'const answer: number = await Promise.resolve(42);';
    const ok = "if (answer !== 42) throw new Error('No');";
    expect(check(fence('ts', code), fence('ts run', code, ok))).toEqual([]);
  });

  it('names the line of a type error, and of an unknown package', () => {
    const problems = check(
      '',
      fence('ts', '', "export const a: number = 'x';"),
      fence('ts', "import '@frontmcp/no';"),
    );
    expect(problems).toEqual([
      expect.stringMatching(/^guide\.md:4: error TS2322/),
      expect.stringMatching(/^guide\.md:7: error TS2882/),
    ]);
  });

  it('names the snippet that fails when it runs', () => {
    expect(check('', fence('ts run', "throw new Error('Broken');"))).toEqual([
      expect.stringMatching(/^guide\.md:3: Exits with 1\n[^]*Broken/),
    ]);
  });
});
