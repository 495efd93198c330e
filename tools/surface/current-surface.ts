import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entryPoints, listPackages } from '../packages/list-packages.ts';
import { readExports } from './read-exports.ts';

/** What each entry of each package exports now, read from its source. */
export function currentSurface(): Record<string, string[]> {
  const entries = listPackages().flatMap(({ path, manifest }) =>
    entryPoints(manifest).map((entry) => {
      const target = manifest.exports[`.${entry.slice(manifest.name.length)}`];
      const file = join(path, (target as { '@frontmcp/source': string })['@frontmcp/source']);
      return [entry, readExports(file, readFileSync(file, 'utf8'))] as const;
    }),
  );
  return Object.fromEntries(entries);
}
