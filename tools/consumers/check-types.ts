import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A version of TypeScript that the packages are to work with. */
export interface Compiler {
  /** Its folder in node_modules. */
  readonly folder: string;
  /** The oldest and the latest are tried with every resolution, those between with one each, which is a third of the time. */
  readonly resolutions: readonly string[];
}

const every = ['node16', 'nodenext', 'bundler'];

export const compilers: Readonly<Record<string, Compiler>> = {
  '5.6': { folder: 'typescript-5.6', resolutions: every },
  '5.7': { folder: 'typescript-5.7', resolutions: ['nodenext'] },
  '5.8': { folder: 'typescript-5.8', resolutions: ['node16'] },
  '5.9': { folder: 'typescript-5.9', resolutions: ['bundler'] },
  '6.0': { folder: 'typescript', resolutions: ['nodenext'] },
  '7.0': { folder: 'typescript-native', resolutions: every },
};

/** It has no API that would compile several times in one process, and is fast enough without. */
export const nativeCompiler = '7.0';

/** No `types`: what Node.js declares must not be needed. TypeScript's own declarations are not ours to check. */
const common = {
  target: 'ES2022',
  lib: ['ES2022', 'ESNext.Disposable', 'DOM'],
  types: [],
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  skipDefaultLibCheck: true,
};

/** How consumers resolve packages; each with a file that is an ES module and one that is not. */
const resolutions: Readonly<Record<string, object>> = {
  node16: { module: 'node16', moduleResolution: 'node16' },
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'preserve', moduleResolution: 'bundler' },
};

/**
 * Compiles a consumer of the given entries, with the declarations of their packages checked too: a type that only this
 * workspace could resolve is an error. Returns the errors, each after the resolution that it came with.
 */
export function typeProblems(
  folder: string,
  entries: readonly string[],
  compiler: string = nativeCompiler,
  chosen: readonly string[] = compilers[compiler]?.resolutions ?? [],
): string[] {
  const imports = entries.map((entry, index) => `import * as m${index} from '${entry}';`);
  const uses = entries.map((_, index) => `m${index}`).join(', ');
  const code = `${imports.join('\n')}\nexport const all: unknown[] = [${uses}];\n`;
  const files = ['esm.mts', 'cjs.cts'];
  for (const file of files) writeFileSync(join(folder, file), code);
  const configs = chosen.map((resolution) => {
    const config = join(folder, `tsconfig.${resolution}.json`);
    const compilerOptions = { ...common, ...resolutions[resolution] };
    writeFileSync(config, JSON.stringify({ compilerOptions, files }));
    return config;
  });
  const home = resolve('node_modules', compilers[compiler]?.folder ?? '');
  if (compiler !== nativeCompiler) return run([script, home, ...configs]);
  return configs.flatMap((config) =>
    run([join(home, 'bin/tsc'), '-p', config, '--pretty', 'false']),
  );
}

const script = resolve('tools/consumers/compile.ts');

/** Compiles a program of Node.js with what it imports, declarations of others included unless said otherwise. */
export function programProblems(folder: string, file: string, skipLibCheck: boolean): string[] {
  const compilerOptions = {
    ...common,
    ...resolutions['nodenext'],
    types: ['node'],
    skipLibCheck,
    allowImportingTsExtensions: true,
  };
  const config = join(folder, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [file] }));
  const tsc = resolve('node_modules', compilers[nativeCompiler]?.folder ?? '', 'bin/tsc');
  return run([tsc, '-p', config, '--pretty', 'false']);
}

function run(args: readonly string[]): string[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return status === 0 ? [] : `${stdout}${stderr}`.trim().split('\n');
}
