import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { earlyInAMinute } from '../test-files/early-in-a-minute.ts';
import type { Snippet } from './find-snippets.ts';
import { startStores, type Stores } from './start-stores.ts';

/**
 * Type-checks all snippets at once and then runs those marked for it, or asks the servers that they start. Each becomes a file in
 * `folder` (inside the workspace, so that package names resolve) with the code on the line that it
 * has in its document: then the compiler's line numbers are right as they are. Types come from the
 * packages' source, a run uses what is built. The servers that some need are there for as long as this takes.
 */
export async function checkSnippets(
  snippets: readonly Snippet[],
  folder: string,
): Promise<string[]> {
  if (snippets.length === 0) return [];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const byFile = new Map(snippets.map((snippet, index) => [`${index}.ts`, snippet]));
  for (const [name, { line, code }] of byFile) {
    writeFileSync(join(folder, name), '\n'.repeat(line - 1) + code + '\n');
  }
  const problems = typeErrors(folder, byFile);
  if (problems.length > 0) return problems;
  const stores = await startStores();
  try {
    for (const [name, snippet] of byFile) {
      problems.push(...(await run(join(folder, name), snippet, stores)));
    }
  } finally {
    await stores.stop();
  }
  return problems;
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

async function run(module: string, snippet: Snippet, stores: Stores): Promise<string[]> {
  const { file, line, then, store, path } = snippet;
  if (then === 'nothing') return [];
  await earlyInAMinute();
  const args = [
    ...preloads(snippet).flatMap((name) => ['--import', `./tools/docs-snippets/${name}.mjs`]),
    module,
    ...(path === undefined ? [] : [path]),
  ];
  const child = spawn(process.execPath, args, {
    // A server on stdio has a client that goes at once.
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 30_000,
    env: { ...process.env, ...(store && (await stores.prepare(store))) },
  });
  const closed = once(child, 'close') as Promise<[status: number | null]>;
  const [stderr, [status]] = await Promise.all([text(child.stderr), closed]);
  const problem = (what: string): string[] => [`${file}:${line}: ${what}\n${stderr}`];
  if (status !== 0) return problem(`Exits with ${String(status)}`);
  if (store === undefined) return [];
  // A client without its server says so there and tries again, and a guard says that it counts in memory instead.
  if (stderr !== '') return problem('Prints an error');
  return (await stores.asked(store)) ? [] : problem(`Never asks ${store}`);
}

function preloads({ then, store }: Snippet): string[] {
  return [
    ...(store === 'redis' ? ['redirect-redis'] : []),
    ...(then === 'serve' ? ['serve-once'] : []),
    ...(then === 'run' && store !== undefined ? ['end-once-loaded'] : []),
  ];
}
