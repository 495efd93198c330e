import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listPackages } from '../packages/list-packages.ts';
import { conformityProblems } from './check-conformity.ts';
import { createPackage } from './create-package.ts';
import { commonNeeds, httpPluginNeeds } from './needs.ts';
import { packageName } from './skeleton.ts';

const folders = listPackages().map(({ path }) => path.slice('packages/'.length));

describe('packages', () => {
  it.each(folders)('%s is as the skeleton', (folder) => {
    expect(conformityProblems(folder, '.')).toEqual([]);
  });

  it('are all in the table of packages of the first README', () => {
    const readme = readFileSync('README.md', 'utf8');
    expect(folders.filter((one) => !readme.includes(`](packages/${one}/README.md)`))).toEqual([]);
  });
});

describe('createPackage', () => {
  let root: string;
  const file = (name: string) => join(root, 'packages/plugins/hono', name);

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'guard-create-'));
    writeFileSync(join(root, 'LICENSE'), 'Apache');
    createPackage({ folder: 'plugins/hono', layer: 4, subpaths: ['extra'] }, root);
  });

  afterEach(() => rmSync(root, { recursive: true }));

  it('makes a package that is as the existing ones', () => {
    expect(conformityProblems('plugins/hono', root)).toEqual([]);
    expect(readFileSync(file('LICENSE'), 'utf8')).toBe('Apache');
    const made = JSON.parse(readFileSync(file('package.json'), 'utf8')) as { nx: object };
    expect(made.nx).toMatchObject({ tags: ['layer:4'] });
  });

  it('finds the base configuration from a folder further down', () => {
    const { extends: base } = JSON.parse(readFileSync(file('tsconfig.json'), 'utf8')) as {
      extends: string;
    };
    expect(join('packages/plugins/hono', base)).toBe('tsconfig.base.json');
  });

  it('refuses what exists, another spelling and another layer', () => {
    const create = (folder: string, layer: number) => () => createPackage({ folder, layer }, root);
    expect(create('plugins/hono', 4)).toThrow('it exists');
    expect(create('../up', 1)).toThrow('kebab-case');
    expect(create('Hono', 1)).toThrow('kebab-case');
    expect(create('new-one', 5)).toThrow('layer 5');
  });

  it.each([
    ['"sideEffects"', 'package.json', 'false', 'true'],
    ['"exports"', 'package.json', 'dist/extra.js', 'dist/other.js'],
    ['src/more.ts is missing', 'package.json', '"./extra"', '"./more"'],
    ['name no layer', 'package.json', 'layer:4', 'layer:x'],
    ['tsconfig.json', 'tsconfig.json', 'src', 'lib'],
    ['README.md', 'README.md', '# ', '## '],
  ])('a difference is found: %s', (problem, name, from, to) => {
    writeFileSync(file(name), readFileSync(file(name), 'utf8').replace(from, to));
    expect(conformityProblems('plugins/hono', root).join('\n')).toContain(problem);
  });

  it('finds a dependency on somebody else', () => {
    const manifest = JSON.parse(readFileSync(file('package.json'), 'utf8')) as object;
    writeFileSync(
      file('package.json'),
      JSON.stringify({ ...manifest, dependencies: { zod: '4' } }),
    );
    expect(conformityProblems('plugins/hono', root)).toEqual([
      'package.json: "zod" is a dependency, not a peer',
    ]);
  });
});

describe('what a new package needs', () => {
  const read = (folder: string): Record<string, object> =>
    JSON.parse(readFileSync(`packages/${folder}/package.json`, 'utf8')) as Record<string, object>;

  /** A range that still takes what is released stays as it is, so that versions need not be the same. */
  const names = (needs: Readonly<Record<string, object>>) =>
    Object.fromEntries(
      Object.entries(needs).map(([list, of]) => [
        list,
        Object.fromEntries(Object.keys(of).map((name) => [name, expect.any(String) as string])),
      ]),
    );

  it('is the core, at the version that is there', () => {
    const { version } = listPackages().find(({ path }) => path === 'packages/core')!.manifest;
    const needs = { dependencies: { '@frontmcp/guard-core': `^${version}` } };
    expect(commonNeeds('.')).toEqual(needs);
    expect(read('semaphore')).toMatchObject(names(needs));
  });

  it.each(['plugins/express', 'plugins/hono'])(
    'is for HTTP what %s has beside its framework',
    (folder) => {
      const needs = httpPluginNeeds('.');
      expect(needs).toEqual({
        dependencies: { '@frontmcp/guard-http': expect.any(String) as string },
        peerDependencies: { zod: expect.any(String) as string },
        devDependencies: expect.objectContaining({
          '@frontmcp/guard-http-contract': expect.any(String) as string,
        }) as object,
      });
      expect(read(folder)).toMatchObject(names({ ...needs }));
    },
  );

  it('is written into its package.json', () => {
    const root = mkdtempSync(join(tmpdir(), 'guard-create-'));
    writeFileSync(join(root, 'LICENSE'), 'Apache');
    const needs = httpPluginNeeds('.');
    createPackage({ folder: 'plugins/new', layer: 4, ...needs }, root);
    const made = readFileSync(join(root, 'packages/plugins/new/package.json'), 'utf8');
    rmSync(root, { recursive: true });
    expect(JSON.parse(made)).toMatchObject(needs);
  });
});

describe('packageName', () => {
  it.each([
    ['core', '@frontmcp/guard-core'],
    ['plugins/hono', '@frontmcp/guard-hono'],
    ['guard', '@frontmcp/guard'],
    ['guard-manager', '@frontmcp/guard-manager'],
  ])('of %s is %s', (folder, name) => {
    expect(packageName(folder)).toBe(name);
  });
});
