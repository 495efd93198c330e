import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entryPoints, listPackages, type PackageManifest } from '../packages/list-packages.ts';
import { readExports } from './read-exports.ts';
import { surface } from './surface.ts';

const packages = listPackages();

function sourceOf({ name, exports }: PackageManifest, entry: string): string {
  const target = exports[`.${entry.slice(name.length)}`] as { '@frontmcp/source': string };
  return target['@frontmcp/source'];
}

describe('the public surface', () => {
  it('has the entries that are pinned', () => {
    const entries = packages.flatMap(({ manifest }) => entryPoints(manifest));
    expect(entries.sort()).toEqual(Object.keys(surface).sort());
  });

  const table = packages.flatMap(({ path, manifest }) =>
    entryPoints(manifest).map((entry) => ({
      entry,
      file: join(path, sourceOf(manifest, entry)),
    })),
  );

  it.each(table)('$entry exports what is pinned', ({ entry, file }) => {
    expect(readExports(file, readFileSync(file, 'utf8'))).toEqual(surface[entry]);
  });
});

describe('readExports', () => {
  const read = (text: string) => readExports('index.ts', text);

  it('lists values and types', () => {
    const text = "export { b, x as a } from './b.js';\nexport { type C } from './c.js';\n";
    expect(read(`${text}export type { D } from './d.js';`)).toEqual(['a', 'b', 'type C', 'type D']);
  });

  it('takes an entry that exports nothing yet', () => {
    expect(read('export {};')).toEqual([]);
  });

  it.each([
    ["export * from './a.js';"],
    ["export * as all from './a.js';"],
    ['export const a = 1;'],
    ["import './a.js';"],
    ['const a = 1;\nexport { a };'],
  ])('refuses %s', (text) => {
    expect(() => read(text)).toThrow('index.ts:1: An entry holds named exports');
  });
});
