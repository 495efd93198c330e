import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const lib = ['ES2022', 'ESNext.Disposable', 'DOM'];
const common = {
  target: 'ES2022',
  lib,
  types: [],
  strict: true,
  noEmit: true,
  skipLibCheck: false,
};

/** How consumers resolve packages; each with a file that is an ES module and one that is not. */
export const resolutions: Readonly<Record<string, object>> = {
  node16: { module: 'node16', moduleResolution: 'node16' },
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'preserve', moduleResolution: 'bundler' },
};

/**
 * Compiles a consumer of every entry of an installed package, with the declarations of the package
 * itself checked too: a type that only this workspace could resolve is an error.
 */
export function typeProblems(
  folder: string,
  entries: readonly string[],
  resolution: string,
): string[] {
  const imports = entries.map((entry, index) => `import * as m${index} from '${entry}';`);
  const uses = entries.map((_, index) => `m${index}`).join(', ');
  const code = `${imports.join('\n')}\nexport const all: unknown[] = [${uses}];\n`;
  writeFileSync(join(folder, 'esm.mts'), code);
  writeFileSync(join(folder, 'cjs.cts'), code);
  const compilerOptions = { ...common, ...resolutions[resolution] };
  const tsconfig = { compilerOptions, files: ['esm.mts', 'cjs.cts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  const tsc = resolve('node_modules/typescript-native/bin/tsc');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [tsc, '-p', folder, '--pretty', 'false'],
    { cwd: folder, encoding: 'utf8' },
  );
  return status === 0 ? [] : `${stdout}${stderr}`.trim().split('\n');
}
