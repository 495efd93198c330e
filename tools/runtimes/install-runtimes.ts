import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

/** The folder of the runtimes, which has a lock of its own. */
export const BINARIES = resolve('tools/runtimes/binaries');

/**
 * Installs the runtimes that the lock names, unless just these are there: about 600 MB, on Linux x64 only.
 *
 * @throws if npm does not install them.
 */
export function installRuntimes(): void {
  if (process.platform !== 'linux' || process.arch !== 'x64') return;
  const wanted = versionsIn(join(BINARIES, 'package-lock.json'));
  if (isDeepStrictEqual(versionsIn(join(BINARIES, 'node_modules/.package-lock.json')), wanted))
    return;
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: BINARIES,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`Cannot install the runtimes in ${BINARIES}`);
}

/** What a lock, or npm's own note of what it has installed, says of each folder. */
function versionsIn(file: string): Record<string, string> {
  if (!existsSync(file)) return {};
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
    packages: Record<string, { version: string }>;
  };
  const folders = Object.entries(packages).filter(([folder]) => folder !== '');
  return Object.fromEntries(folders.map(([folder, { version }]) => [folder, version]));
}
