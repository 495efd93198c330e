import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { BINARIES } from './install-runtimes.ts';
import type { RuntimeName } from './runtimes.ts';

/** A runtime on this machine: its binary, and the arguments that stand before the program. */
export interface FoundRuntime {
  readonly command: string;
  readonly args: readonly string[];
}

const INSTALLED: Readonly<Partial<Record<RuntimeName, string>>> = {
  'node-22': 'node-22/bin/node',
  'node-26': 'node-26/bin/node',
  bun: '@oven/bun-linux-x64/bin/bun',
  deno: '@deno/linux-x64-glibc/deno',
};
// The code cache goes by the length of a CommonJS file, and takes the build before for the one after.
const DENO_ARGS = [
  ...['run', '--allow-all', '--no-remote', '--no-prompt', '--no-code-cache'],
  '--node-modules-dir=manual',
];

/**
 * The runtime that was installed here, or one of that name, and version, on the PATH.
 *
 * @throws if there is none.
 */
export function findRuntime(name: RuntimeName): FoundRuntime {
  const args = name === 'deno' ? DENO_ARGS : [];
  const file = INSTALLED[name];
  const candidates = [
    ...(file !== undefined && existsSync(installed(file)) ? [installed(file)] : []),
    ...(name.startsWith('node-') ? [process.execPath, name, 'node'] : [name]),
  ];
  const command = candidates.find((candidate) => isVersion(candidate, name));
  if (command === undefined) throw new Error(`Cannot find ${name}: put it on the PATH`);
  return { command, args };
}

function installed(file: string): string {
  return join(BINARIES, 'node_modules', file);
}

function isVersion(command: string, name: RuntimeName): boolean {
  const { status, stdout } = spawnSync(command, ['--version'], { encoding: 'utf8' });
  return status === 0 && (!name.startsWith('node-') || stdout.startsWith(`v${name.slice(5)}.`));
}
