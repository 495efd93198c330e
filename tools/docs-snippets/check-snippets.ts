import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Snippet } from './find-snippets.ts';

/**
 * Type-checks all snippets at once and then runs those marked for it, or asks the servers that they start. Each becomes a file in
 * `folder` (inside the workspace, so that package names resolve) with the code on the line that it
 * has in its document: then the compiler's line numbers are right as they are. Types come from the
 * packages' source, a run uses what is built.
 */
export function checkSnippets(snippets: readonly Snippet[], folder: string): string[] {
  if (snippets.length === 0) return [];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const byFile = new Map(snippets.map((snippet, index) => [`${index}.ts`, snippet]));
  for (const [name, { line, code }] of byFile) {
    writeFileSync(join(folder, name), '\n'.repeat(line - 1) + code + '\n');
  }
  const problems = typeErrors(folder, byFile);
  return problems.length > 0 ? problems : [...byFile].flatMap(([name, s]) => run(folder, name, s));
}

function typeErrors(folder: string, byFile: ReadonlyMap<string, Snippet>): string[] {
  const up = folder
    .split('/')
    .map(() => '..')
    .join('/');
  const compilerOptions = {
    types: ['node'],
    moduleDetection: 'force',
    isolatedDeclarations: false,
    declaration: false,
    noUnusedLocals: false,
    noUnusedParameters: false,
  };
  const tsconfig = { extends: `${up}/tsconfig.base.json`, compilerOptions, include: ['*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/typescript-native/bin/tsc', '-p', folder, '--pretty', 'false'],
    { encoding: 'utf8' },
  );
  if (status === 0) return [];
  const output = `${stdout}${stderr}`.trim().split('\n');
  return output.map((line) =>
    line.replace(/^\S*?(\d+\.ts)\((\d+),\d+\)/, (all, name: string, at: string) => {
      const snippet = byFile.get(name);
      return snippet === undefined ? all : `${snippet.file}:${at}`;
    }),
  );
}

function run(folder: string, name: string, snippet: Snippet): string[] {
  if (snippet.then === 'nothing') return [];
  const options = { encoding: 'utf8', timeout: 30_000 } as const;
  const args = snippet.then === 'serve' ? ['--import', './tools/docs-snippets/serve-once.mjs'] : [];
  const asked = snippet.path === undefined ? [] : [snippet.path];
  const command = [...args, join(folder, name), ...asked];
  const { status, stderr } = spawnSync(process.execPath, command, options);
  if (status === 0) return [];
  return [`${snippet.file}:${snippet.line}: Exits with ${String(status)}\n${stderr}`];
}
