import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The part of a package.json that the workspace's tools read. */
export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly nx?: { readonly tags: readonly string[] };
}

export interface WorkspacePackage {
  /** Path from the root of the workspace, for example `packages/core`. */
  readonly path: string;
  readonly manifest: PackageManifest;
}

/** Every package that is published, found by its folder, so that a new one is in every table. */
export function listPackages(): WorkspacePackage[] {
  return globSync(['packages/*/package.json', 'packages/plugins/*/package.json'])
    .sort()
    .map((file) => ({
      path: dirname(file).replaceAll('\\', '/'),
      manifest: JSON.parse(readFileSync(file, 'utf8')) as PackageManifest,
    }));
}

/** The specifiers that a package can be imported by: its name, and its name with each subpath. */
export function entryPoints({ name, exports }: PackageManifest): string[] {
  return Object.keys(exports)
    .filter((subpath) => subpath !== './package.json')
    .map((subpath) => name + subpath.slice(1));
}

/** The package itself and every package of this workspace that installing it brings along. */
export function withDependencies(name: string, packages: readonly WorkspacePackage[]): string[] {
  const reached = new Set<string>();
  const visit = (current: string): void => {
    const found = packages.find(({ manifest }) => manifest.name === current);
    if (found === undefined || reached.has(current)) return;
    reached.add(current);
    Object.keys(found.manifest.dependencies ?? {}).forEach(visit);
  };
  visit(name);
  return [...reached].sort();
}
