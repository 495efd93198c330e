import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Checks what an installed package holds: its papers, no tests, and maps that lead to its source. */
export function contentProblems(packageFolder: string): string[] {
  const missing = ['LICENSE', 'README.md', 'package.json'].filter(
    (file) => !existsSync(join(packageFolder, file)),
  );
  const tests = globSync('**/*.{spec,test}.*', { cwd: packageFolder });
  return [
    ...missing.map((file) => `${file} is missing`),
    ...tests.map((file) => `${file} is a test`),
    ...sourceMapProblems(packageFolder),
    ...conditionProblems(packageFolder),
  ];
}

function sourceMapProblems(packageFolder: string): string[] {
  return globSync('dist/**/*.map', { cwd: packageFolder }).flatMap((map) => {
    const file = join(packageFolder, map);
    const { sources } = JSON.parse(readFileSync(file, 'utf8')) as { sources: string[] };
    return sources
      .filter((source) => !existsSync(resolve(dirname(file), source)))
      .map((source) => `${map} leads to ${source}, which is not in the package`);
  });
}

function conditionProblems(packageFolder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    exports: Record<string, unknown>;
  };
  return targets(manifest.exports)
    .filter((target) => !existsSync(join(packageFolder, target)))
    .map((target) => `The export map names ${target}, which is not in the package`);
}

function targets(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(targets) : [];
}
