import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { listPackages, type PackageManifest } from '../packages/list-packages.ts';

/** What a package declares: `name`, `name (peer)` or `name (optional peer)`. */
export function readDependencies(manifest: PackageManifest): string[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = manifest;
  const peers = Object.keys(peerDependencies).map((name) =>
    isOptional(manifest, name) ? `${name} (optional peer)` : `${name} (peer)`,
  );
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers].sort();
}

/** What each package of the workspace declares now. */
export function currentDependencies(): Record<string, string[]> {
  return Object.fromEntries(
    listPackages().map(({ manifest }) => [manifest.name, readDependencies(manifest)]),
  );
}

/** The packages that published source names, in an import, an export, an `import()` or a type. */
export function importedPackages(texts: readonly string[]): Set<string> {
  const specifiers = texts.flatMap((text) =>
    ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName),
  );
  const names = specifiers.flatMap((name) => /^(?:@[^/]+\/)?[^./:][^/:]*(?=$|\/)/.exec(name) ?? []);
  return new Set(names);
}

export function publishedSource(path: string): string[] {
  const files = globSync('src/**/*.ts', { cwd: path, exclude: ['**/*.spec.ts'] });
  return files.map((file) => readFileSync(join(path, file), 'utf8'));
}

/**
 * Holds what a package declares against what its source imports. An optional peer may be declared
 * for a client that the user hands over, and a peer of a dependency has to be passed on: neither
 * need be imported.
 */
export function dependencyProblems(
  manifest: PackageManifest,
  imported: ReadonlySet<string>,
  all: readonly PackageManifest[],
): string[] {
  const { name, dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = manifest;
  const passedOn = all
    .filter((other) => other.name in dependencies)
    .flatMap((other) =>
      Object.keys(other.peerDependencies ?? {}).filter((peer) => !isOptional(other, peer)),
    );
  const declared = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  const unused = declared.filter(
    (one) =>
      !imported.has(one) &&
      !(one in peerDependencies && (isOptional(manifest, one) || passedOn.includes(one))),
  );
  const undeclared = [...imported].filter((one) => !declared.includes(one));
  const dropped = passedOn.filter((one) => !declared.includes(one));
  return [
    ...unused.map((one) => `${name} declares ${one}, and imports it nowhere`),
    ...undeclared.map((one) => `${name} imports ${one}, and does not declare it`),
    ...dropped.map((one) => `${name} does not pass on the peer ${one} of a dependency`),
  ];
}

function isOptional({ peerDependenciesMeta }: PackageManifest, name: string): boolean {
  return peerDependenciesMeta?.[name]?.optional === true;
}
