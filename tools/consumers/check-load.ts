import { spawnSync } from 'node:child_process';

/**
 * Loads every entry of an installed package with `import` and with `require`, each in a process of
 * its own, and compares what they find.
 */
export function loadProblems(folder: string, entries: readonly string[]): string[] {
  return entries.flatMap((entry) => {
    const imported = load(folder, ['--input-type=module', '--eval'], `await import('${entry}')`);
    const required = load(folder, ['--input-type=commonjs', '--eval'], `require('${entry}')`);
    if (imported.error !== '') return [`import '${entry}' fails: ${imported.error}`];
    if (required.error !== '') return [`require('${entry}') fails: ${required.error}`];
    if (imported.names === required.names) return [];
    return [`'${entry}' exports ${imported.names} as ESM, but ${required.names} as CommonJS`];
  });
}

interface Loaded {
  readonly names: string;
  readonly error: string;
}

function load(folder: string, how: readonly string[], expression: string): Loaded {
  const code = `const loaded = ${expression}; console.log(Object.keys(loaded).sort().join(' '))`;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...how, code], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { names: stdout.trim(), error: status === 0 ? '' : stderr.trim() };
}
