import { posix } from 'node:path';
import { entryPoints, listPackages, type PackageManifest } from '../../packages/list-packages.ts';

/** A way into a package: what is imported, and the source that it leads to. */
export interface EntryPoint {
  readonly name: string;
  readonly file: string;
}

/** All entry points of all packages, those of the lower layers first: what is exported again belongs to the lowest. */
export function findEntryPoints(): EntryPoint[] {
  return listPackages()
    .sort((left, right) => rank(left.manifest).localeCompare(rank(right.manifest)))
    .flatMap(({ path, manifest }) =>
      entryPoints(manifest).map((name) => ({
        name,
        file: posix.join(path, sourceOf(manifest, name)),
      })),
    );
}

function sourceOf({ name, exports }: PackageManifest, entry: string): string {
  const target = exports[`.${entry.slice(name.length)}`];
  return (target as { readonly '@frontmcp/source': string })['@frontmcp/source'];
}

function rank({ name, nx }: PackageManifest): string {
  return `${nx?.tags.join() ?? ''} ${name}`;
}
