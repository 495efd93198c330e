import { join, resolve } from 'node:path';

import { entryPoints, type WorkspacePackage } from '../packages/list-packages.ts';

/** What a user can import, and where its types are. */
export interface Entry {
  /** `@frontmcp/guard-manager/schemas` */
  readonly name: string;
  /** The name of its report, without the folder: `guard-manager.schemas`. */
  readonly report: string;
  /** The full path of its types, as built. */
  readonly types: string;
  /** The full path of the folder of its package. */
  readonly folder: string;
}

/** Every entry of the packages, by their export maps. */
export function listEntries(packages: readonly WorkspacePackage[]): Entry[] {
  return packages.flatMap(({ path, manifest }) =>
    entryPoints(manifest).map((name) => {
      const target = manifest.exports[`.${name.slice(manifest.name.length)}`];
      const { types } = (target as { import: { types: string } }).import;
      const report = name.replace(/^@[^/]+\//, '').replaceAll('/', '.');
      return { name, report, types: resolve(join(path, types)), folder: resolve(path) };
    }),
  );
}
