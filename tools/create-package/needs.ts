import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PackageOptions } from './skeleton.ts';

/** What a new package depends on. */
export type Needs = Pick<PackageOptions, 'dependencies' | 'peerDependencies' | 'devDependencies'>;

interface Member {
  readonly name: string;
  readonly version: string;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** What every package but core needs, at the version that the workspace at `root` has. */
export function commonNeeds(root: string): Needs {
  return { dependencies: ranges(root, 'packages/core') };
}

/**
 * What every plugin of an HTTP framework needs: what they are made of, whose peers are passed on, and what they are tested with. The framework
 * itself is for the plugin to add.
 */
export function httpPluginNeeds(root: string): Needs {
  const { peerDependencies = {} } = read(root, 'packages/http');
  return {
    dependencies: ranges(root, 'packages/http'),
    peerDependencies,
    devDependencies: ranges(root, 'packages/guard', 'tools/http-contract'),
  };
}

function ranges(root: string, ...folders: readonly string[]): Record<string, string> {
  const members = folders.map((folder) => read(root, folder));
  return Object.fromEntries(members.map(({ name, version }) => [name, `^${version}`]));
}

function read(root: string, folder: string): Member {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Member;
}
