import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { manifest, skeleton, type Manifest } from './skeleton.ts';

/** Fields that are each package's own: what it is, which version, and what it needs. */
const own = new Set([
  'version',
  'description',
  'keywords',
  'dependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'devDependencies',
  'nx',
]);

/**
 * Holds an existing package, at `packages/<folder>` below `root`, against the skeleton that a new
 * one would get; returns what differs.
 */
export function conformityProblems(folder: string, root: string): string[] {
  const path = join(root, 'packages', folder);
  const read = (file: string): string => readFileSync(join(path, file), 'utf8');
  const actual = JSON.parse(read('package.json')) as Manifest;
  const [layer, subpaths] = [layerOf(actual), subpathsOf(actual)];
  if (layer === undefined) return ['package.json: nx.tags name no layer'];
  const options = { folder, layer, subpaths };
  const expected = manifest(options);

  const fields = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  const different = [...fields].filter(
    (field) => !own.has(field) && !isDeepStrictEqual(actual[field], expected[field]),
  );
  const missing = ['LICENSE', ...Object.keys(skeleton(options))].filter(
    (file) => !existsSync(join(path, file)),
  );
  return [
    ...different.map((field) => `package.json: "${field}" is not as in the skeleton`),
    ...missing.map((file) => `${file} is missing`),
    ...dependencyProblems(actual),
    ...(read('tsconfig.json') === skeleton(options)['tsconfig.json']
      ? []
      : ['tsconfig.json is not as in the skeleton']),
    ...(read('README.md').startsWith(`# ${expected.name}\n`)
      ? []
      : [`README.md does not start with "# ${expected.name}"`]),
  ];
}

function layerOf({ nx }: Manifest): number | undefined {
  const tags = (nx as { tags?: string[] } | undefined)?.tags ?? [];
  const layers = tags.flatMap((tag) => /^layer:(\d)$/.exec(tag)?.[1] ?? []);
  return layers.length === 1 ? Number(layers[0]) : undefined;
}

function subpathsOf({ exports }: Manifest): string[] {
  const subpaths = Object.keys(exports).map((subpath) => subpath.slice('./'.length));
  return subpaths.filter((subpath) => subpath !== '' && subpath !== 'package.json');
}

/** What a framework wants its plugins to be made with, which is small and the framework's own. */
const helpers = new Set(['fastify-plugin']);

/** Installing a package brings other guard packages along, and nobody else's but such helpers. */
function dependencyProblems({ dependencies = {} }: Manifest): string[] {
  return Object.keys(dependencies as Record<string, string>)
    .filter((name) => !name.startsWith('@frontmcp/guard') && !helpers.has(name))
    .map((name) => `package.json: "${name}" is a dependency, not a peer`);
}
