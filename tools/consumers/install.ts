import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { withDependencies, type WorkspacePackage } from '../packages/list-packages.ts';

/** Packs every package as it would be published; returns the path of its tarball by name. */
export function packAll(
  packages: readonly WorkspacePackage[],
  folder: string,
): Map<string, string> {
  const unbuilt = packages.filter(({ path }) => !existsSync(join(path, 'dist')));
  if (unbuilt.length > 0) {
    throw new Error(`Cannot pack ${unbuilt[0]?.path ?? ''}: run "npm run build" first`);
  }
  const chosen = packages.flatMap(({ path }) => ['--workspace', path]);
  const foreign = foreignDependencies(packages).map((name) => join('node_modules', name));
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
  npm(process.cwd(), ...pack, ...chosen);
  if (foreign.length > 0) npm(process.cwd(), ...pack, ...foreign.map((path) => `./${path}`));
  const tarball = ({ name, version }: { name: string; version: string }): [string, string] => [
    name,
    join(folder, `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`),
  ];
  return new Map([
    ...packages.map(({ manifest }) => tarball(manifest)),
    ...foreign.map((path) =>
      tarball(
        JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as {
          name: string;
          version: string;
        },
      ),
    ),
  ]);
}

/** What packages bring along that is not of this workspace. */
function foreignDependencies(packages: readonly WorkspacePackage[]): string[] {
  const own = new Set(packages.map(({ manifest }) => manifest.name));
  const all = packages.flatMap(({ manifest }) => Object.keys(manifest.dependencies ?? {}));
  return [...new Set(all)].filter((name) => !own.has(name));
}

/**
 * Installs one package into an empty folder outside the workspace, from its own tarball and those
 * of its dependencies, without a network. A required peer is linked from the workspace, as the
 * user of the package would have it already.
 */
export function installAlone(
  { manifest }: WorkspacePackage,
  packages: readonly WorkspacePackage[],
  tarballs: ReadonlyMap<string, string>,
  folder: string,
): void {
  const names = withDependencies(manifest.name, packages);
  const installed = packages.filter((one) => names.includes(one.manifest.name));
  const files = [...names, ...foreignDependencies(installed)]
    .filter((name) => tarballs.has(name))
    .map((name) => tarballs.get(name) ?? '');
  installFiles(folder, files);
  for (const peer of requiredPeers(names, packages)) linkFromWorkspace(folder, peer, peer);
}

/** Installs tarballs into a folder, without a network and without peers. */
export function installFiles(folder: string, tarballs: readonly string[]): void {
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true }\n');
  const quiet = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts'];
  npm(folder, 'install', '--offline', '--legacy-peer-deps', ...quiet, ...tarballs);
}

/** Puts a package of the workspace's node_modules into a consumer's, by the name that it is imported by. */
export function linkFromWorkspace(folder: string, name: string, from: string): void {
  const link = join(folder, 'node_modules', name);
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { recursive: true, force: true });
  symlinkSync(resolve('node_modules', from), link, 'junction');
}

function requiredPeers(
  names: readonly string[],
  packages: readonly WorkspacePackage[],
): Set<string> {
  const installed = packages.filter(({ manifest }) => names.includes(manifest.name));
  const peers = installed.flatMap(({ manifest }) =>
    Object.keys(manifest.peerDependencies ?? {}).filter(
      (peer) => manifest.peerDependenciesMeta?.[peer]?.optional !== true,
    ),
  );
  return new Set(peers);
}

function npm(cwd: string, ...args: string[]): void {
  execFileSync('npm', args, {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}
