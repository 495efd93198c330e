import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { relative, resolve } from 'node:path';

const elsewhere = new Set(['node_modules', 'dist', 'fixtures', 'coverage', '.tmp', '.nx', '.git']);

/** Every file below `root` whose name says that it is a test. */
export function filesNamedAsTests(root: string): string[] {
  const exclude = (path: string): boolean => elsewhere.has(path.split(/[\\/]/).at(-1) ?? '');
  return globSync('**/*.{spec,test}.*', { cwd: root, exclude }).map(slashes).sort();
}

/** Every file that `npm run jest` runs. */
export function filesThatJestRuns(root: string): string[] {
  const jest = ['node_modules/jest/bin/jest.js', '--listTests', '--json'];
  const output = execFileSync(process.execPath, jest, { cwd: root, encoding: 'utf8' });
  const files = JSON.parse(output) as string[];
  return files.map((file) => slashes(relative(resolve(root), file))).sort();
}

function slashes(path: string): string {
  return path.replaceAll('\\', '/');
}
