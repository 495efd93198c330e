import { globSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';

/** A way into a package: what is imported, and the source that it leads to. */
export interface EntryPoint {
  readonly name: string;
  readonly file: string;
}

interface Manifest {
  readonly name: string;
  readonly nx: { readonly tags: readonly string[] };
  readonly exports: Readonly<Record<string, string | { readonly '@frontmcp/source': string }>>;
}

/** All entry points of all packages, those of the lower layers first: what is exported again belongs to the lowest. */
export function findEntryPoints(): EntryPoint[] {
  const manifests = globSync('packages/{*,plugins/*}/package.json').map(
    (file) => [dirname(file), JSON.parse(readFileSync(file, 'utf8')) as Manifest] as const,
  );
  return manifests
    .sort(([, left], [, right]) => rank(left).localeCompare(rank(right)))
    .flatMap(([folder, { name, exports }]) =>
      Object.entries(exports).flatMap(([subpath, target]) =>
        typeof target === 'string'
          ? []
          : [
              {
                name: posix.join(name, subpath),
                file: posix.join(folder, target['@frontmcp/source']),
              },
            ],
      ),
    );
}

function rank({ name, nx }: Manifest): string {
  return `${nx.tags.join()} ${name}`;
}
