import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { filesNamedAsTests, filesThatJestRuns } from './list-test-files.ts';

describe('files that are named as tests', () => {
  it('are run', () => {
    expect(filesNamedAsTests('.')).toEqual(filesThatJestRuns('.'));
  });

  it('are found wherever they are, but for data and what is built', () => {
    const root = mkdtempSync(join(tmpdir(), 'guard-test-files-'));
    const named = ['a.test.ts', 'packages/a/spec/b.spec.mts', 'packages/a/src/c.test.js'];
    const other = ['packages/a/src/latest.ts', 'packages/a/src/spec.ts'];
    const skipped = [
      'node_modules/x/d.spec.ts',
      'packages/a/dist/e.test.js',
      't/fixtures/f.spec.ts',
    ];
    for (const file of [...named, ...other, ...skipped]) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), '');
    }
    expect(filesNamedAsTests(root)).toEqual(named);
    rmSync(root, { recursive: true });
  });
});
