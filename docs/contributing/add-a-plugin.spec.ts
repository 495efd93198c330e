import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { findSnippets } from '../../tools/docs-snippets/find-snippets.ts';

const FOLDER = '.tmp/add-a-plugin';

/** The files that the guide gives whole: a line that has the path, then the fence. */
function filesOf(guide: string): [path: string, content: string][] {
  const file =
    /`(?<path>packages\/plugins\/node\/\S+)`[^\n]*:\n\n(?<fence>`{3,})\w+(?: run)?\n(?<content>[^]*?\n)\k<fence>\n/g;
  return [...guide.matchAll(file)].map(({ groups }) => [
    groups?.['path'] ?? '',
    groups?.['content'] ?? '',
  ]);
}

function run(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

describe('the guide to a plugin', () => {
  beforeAll(() => {
    rmSync(FOLDER, { recursive: true, force: true });
    const files = filesOf(readFileSync('docs/contributing/add-a-plugin.md', 'utf8'));
    expect(files.map(([path]) => path.replace('packages/plugins/node/', ''))).toEqual([
      'src/index.ts',
      'src/guard-node.ts',
      'test/contract.spec.ts',
      'test/node-layer.ts',
      'src/guard-node.spec.ts',
      'README.md',
    ]);
    for (const [path, content] of files) {
      mkdirSync(dirname(join(FOLDER, path)), { recursive: true });
      writeFileSync(join(FOLDER, path), content);
    }
    const readme = files.at(-1)!;
    const { snippets, problems } = findSnippets(...readme);
    expect(problems).toEqual([]);
    expect(snippets).toHaveLength(1);
    writeFileSync(join(FOLDER, 'readme.ts'), snippets[0]!.code);
    const options = {
      types: ['node', 'jest'],
      isolatedDeclarations: false,
      paths: { '@frontmcp/guard-node': ['./packages/plugins/node/src/index.ts'] },
    };
    const tsconfig = { extends: '../../tsconfig.base.json', compilerOptions: options };
    writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify(tsconfig));
  });

  it('gives files that compile, and code in the README that does', () => {
    expect(run('node_modules/typescript-native/bin/tsc', '-p', FOLDER)).toBe('');
  });

  it('gives a plugin that does all that the contract asks', () => {
    const jest = [
      'node_modules/jest/bin/jest.js',
      '--silent',
      '--testMatch',
      `**/${FOLDER}/**/*.spec.ts`,
    ];
    const ignored = [
      '--testPathIgnorePatterns',
      '/node_modules/',
      '--modulePathIgnorePatterns',
      '/dist/',
    ];
    expect(run(...jest, ...ignored)).toBe('');
  }, 120_000);
});
