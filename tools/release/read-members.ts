import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Member, MemberRange, RangeField } from './settle-release.ts';

/** A package of the workspace, with its folder. */
export interface WorkspaceMember extends Member {
  readonly path: string;
}

type Manifest = { name: string; version: string; private?: boolean } & Partial<
  Record<RangeField, Record<string, string>>
>;

const fields: readonly RangeField[] = [
  'dependencies',
  'peerDependencies',
  'optionalDependencies',
  'devDependencies',
];

/** Every package below a workspace's root, tools too, with the ranges that it gives for the others. */
export function readMembers(root: string): WorkspaceMember[] {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    workspaces: string[];
  };
  const paths = workspaces
    .flatMap((glob) => globSync(`${glob}/package.json`, { cwd: root }))
    .sort();
  const manifests = paths.map((path) => ({
    path: path.replaceAll('\\', '/').replace(/\/package\.json$/, ''),
    manifest: JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest,
  }));
  const own = new Set(manifests.map(({ manifest }) => manifest.name));
  return manifests.map(({ path, manifest }) => ({
    path,
    name: manifest.name,
    version: manifest.version,
    private: manifest.private === true,
    ranges: readRanges(manifest, own),
  }));
}

/** The ranges that a manifest gives for the packages of the given names. */
export function readRanges(
  manifest: Partial<Record<RangeField, Record<string, string>>>,
  own: ReadonlySet<string>,
): MemberRange[] {
  return fields.flatMap((field) =>
    Object.entries(manifest[field] ?? {})
      .filter(([on]) => own.has(on))
      .map(([on, range]) => ({ field, on, range })),
  );
}
