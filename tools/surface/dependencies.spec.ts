import { listPackages, type PackageManifest } from '../packages/list-packages.ts';
import { dependencies } from './dependencies.ts';
import {
  currentDependencies,
  dependencyProblems,
  importedPackages,
  publishedSource,
  readDependencies,
} from './read-dependencies.ts';

const packages = listPackages();
const manifests = packages.map(({ manifest }) => manifest);
const make = (rest: Partial<PackageManifest>): PackageManifest => ({
  name: 'one',
  version: '1.0.0',
  exports: {},
  ...rest,
});

describe('the dependencies of packages', () => {
  it('are what is pinned: `npm run surface` writes down what has changed', () => {
    expect(currentDependencies()).toEqual(dependencies);
  });

  it.each(packages.map((one) => [one.manifest.name, one] as const))(
    'of %s are what its source imports',
    (_, { path, manifest }) => {
      const imported = importedPackages(publishedSource(path));
      expect(dependencyProblems(manifest, imported, manifests)).toEqual([]);
    },
  );
});

describe('readDependencies', () => {
  it('tells peers, and optional ones, from the rest', () => {
    const manifest = make({
      dependencies: { c: '1' },
      optionalDependencies: { d: '1' },
      peerDependencies: { b: '1', a: '1' },
      peerDependenciesMeta: { a: { optional: true } },
    });
    expect(readDependencies(manifest)).toEqual(['a (optional peer)', 'b (peer)', 'c', 'd']);
  });
});

describe('importedPackages', () => {
  it('reads every form, and neither comments nor what the runtime brings', () => {
    const text = `
      import { a } from 'a/sub';
      import type { b } from '@b/b';
      export { c } from '@c/c/sub';
      export const d = () => import('d');
      export type E = import('e').E;
      import 'node:fs';
      import { f } from './f.js';
      // import { g } from 'g';
    `;
    expect([...importedPackages([text])].sort()).toEqual(['@b/b', '@c/c', 'a', 'd', 'e']);
  });
});

describe('dependencyProblems', () => {
  const below = make({ name: 'below', peerDependencies: { zod: '4' } });
  const problems = (manifest: Partial<PackageManifest>, ...imported: string[]) =>
    dependencyProblems(make(manifest), new Set(imported), [below]);

  it('finds what is declared and not imported, and the reverse', () => {
    expect(problems({ dependencies: { a: '1' } }, 'a')).toEqual([]);
    expect(problems({ dependencies: { a: '1' } })).toEqual([expect.stringContaining('declares a')]);
    expect(problems({ peerDependencies: { a: '1' } })).toEqual([
      expect.stringContaining('declares a'),
    ]);
    expect(problems({}, 'a')).toEqual([expect.stringContaining('imports a')]);
  });

  it('wants the peer of a dependency passed on, imported or not', () => {
    const dependencies = { below: '1' };
    expect(problems({ dependencies, peerDependencies: { zod: '4' } }, 'below')).toEqual([]);
    expect(problems({ dependencies }, 'below')).toEqual([expect.stringContaining('peer zod')]);
  });

  it('lets an optional peer stand without an import', () => {
    const peerDependenciesMeta = { a: { optional: true } };
    expect(problems({ peerDependencies: { a: '1' }, peerDependenciesMeta })).toEqual([]);
  });
});
