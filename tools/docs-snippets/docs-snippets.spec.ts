import { checkSnippets } from './check-snippets.ts';
import { findSnippets } from './find-snippets.ts';

const fence = (info: string, ...code: string[]) => ['```' + info, ...code, '```'].join('\n');
const document = (...parts: string[]) => findSnippets('guide.md', parts.join('\n'));
const check = (...parts: string[]) =>
  checkSnippets(document(...parts).snippets, '.tmp/docs-snippets-spec');

describe('findSnippets', () => {
  it('takes `ts`, `ts run` and `ts serve`, with the line of their code', () => {
    const { snippets, problems } = document(
      '# Guide',
      fence('ts', 'a;', 'b;'),
      fence('ts run'),
      fence('ts serve'),
      fence('ts serve /hello'),
    );
    expect(problems).toEqual([]);
    expect(snippets).toEqual([
      { file: 'guide.md', line: 3, code: 'a;\nb;', then: 'nothing' },
      { file: 'guide.md', line: 7, code: '', then: 'run' },
      { file: 'guide.md', line: 9, code: '', then: 'serve' },
      { file: 'guide.md', line: 11, code: '', then: 'serve', path: '/hello' },
    ]);
  });

  it('takes the indent of a list from the code', () => {
    expect(document('- one', '  ```ts', '  a;', '    b;', '  ```').snippets).toEqual([
      { file: 'guide.md', line: 3, code: 'a;\n  b;', then: 'nothing' },
    ]);
  });

  it('leaves other languages alone', () => {
    expect(document(fence('sh', 'npm ci'), fence('', 'text'), fence('json', '{}'))).toEqual({
      snippets: [],
      problems: [],
    });
  });

  it.each(['ts nocheck', 'ts run /hello', 'ts serve hello', 'typescript', 'js', 'mjs', 'tsx'])(
    'refuses a fence of "%s"',
    (info) => {
      expect(document('', fence(info, 'a;')).problems).toEqual([
        `guide.md:2: Use "ts", "ts run" or "ts serve" in place of "${info}"`,
      ]);
    },
  );

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

  const serving = (answer: string, path = '') =>
    fence(
      `ts serve${path}`,
      "import { createServer } from 'node:http';",
      `createServer((request, response) => response.writeHead(${answer}).end()).listen(3_000);`,
    );

  it('asks a server that a snippet starts, and ends it', () => {
    expect(check(serving('404'))).toEqual([]);
    expect(check(serving("request.url === '/hello' ? 200 : 404", ' /hello'))).toEqual([]);
  });

  it.each([
    ['fails to answer', serving('500'), /It answers with 500/],
    ['has no answer at the path', serving('404', ' /hello'), /It answers with 404/],
    ['never serves', fence('ts serve', 'console.log(1);'), /It serves nobody/],
    ['fails before it serves', fence('ts serve', "throw new Error('Broken');"), /Broken/],
  ])('names a snippet that %s', (_, snippet, problem) => {
    expect(check('', snippet)).toEqual([expect.stringMatching(problem)]);
  });

  it('names the snippet that fails when it runs', () => {
    expect(check('', fence('ts run', "throw new Error('Broken');"))).toEqual([
      expect.stringMatching(/^guide\.md:3: Exits with 1\n[^]*Broken/),
    ]);
  });
});
