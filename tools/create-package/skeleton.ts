/**
 * What every publishable package of this workspace looks like. The generator writes it, and a test
 * holds every existing package against it, so the skeleton is described in one place only.
 */
export interface PackageOptions {
  /** Folder under `packages/`, for example `semaphore` or `plugins/hono`. */
  readonly folder: string;
  /** Position in the layering: a package may depend on lower layers only. */
  readonly layer: number;
  readonly description?: string;
  /** Subpaths besides `.`, for example `memory` for `src/memory.ts`. */
  readonly subpaths?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export interface Manifest extends Record<string, unknown> {
  readonly name: string;
  readonly exports: Readonly<Record<string, unknown>>;
}

const firstVersion = '0.1.0';

/** Where the project is at home. npm publishes with provenance only what names the repository that it is built in. */
const repository = 'https://github.com/agentfront/guard';
const site = 'https://agentfront.github.io/guard/';

/** The npm name: `guard-<last folder>`, except where the folder already says guard. */
export function packageName(folder: string): string {
  const last = folder.split('/').at(-1) ?? folder;
  return `@frontmcp/${/^guard(-|$)/.test(last) ? last : `guard-${last}`}`;
}

function exportTarget(file: string): object {
  return {
    '@frontmcp/source': `./src/${file}.ts`,
    import: { types: `./dist/${file}.d.ts`, default: `./dist/${file}.js` },
    require: { types: `./dist/${file}.d.cts`, default: `./dist/${file}.cjs` },
  };
}

/** The export map: one entry a file, each as source, ESM and CommonJS. */
function exportMap(subpaths: readonly string[]): Record<string, unknown> {
  const named = subpaths.map((subpath) => [`./${subpath}`, exportTarget(subpath)] as const);
  return {
    '.': exportTarget('index'),
    ...Object.fromEntries(named),
    './package.json': './package.json',
  };
}

/** The package.json of a new package; keys stand in the order that the files in the repository have. */
export function manifest(options: PackageOptions): Manifest {
  const { folder, layer, subpaths = [] } = options;
  const last = folder.split('/').at(-1) ?? folder;
  return {
    name: packageName(folder),
    version: firstVersion,
    description: options.description ?? `The ${last} part of guard`,
    keywords: ['guard', ...(last === 'guard' ? [] : [last])],
    homepage: site,
    bugs: `${repository}/issues`,
    repository: {
      type: 'git',
      url: `git+${repository}.git`,
      directory: `packages/${folder}`,
    },
    license: 'Apache-2.0',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=22' },
    files: ['dist', 'src', '!src/**/*.spec.ts'],
    main: './dist/index.cjs',
    module: './dist/index.js',
    types: './dist/index.d.cts',
    exports: exportMap(subpaths),
    ...declared(options),
    publishConfig: { access: 'public' },
    nx: { tags: [`layer:${String(layer)}`], targets: { build: {}, 'check-package': {} } },
  };
}

/** What is declared of dependencies, without empty lists. */
function declared(options: PackageOptions): Record<string, unknown> {
  const { dependencies = {}, peerDependencies = {}, devDependencies = {} } = options;
  const lists = Object.entries({ dependencies, peerDependencies, devDependencies });
  return Object.fromEntries(lists.filter(([, list]) => Object.keys(list).length > 0));
}

function tsconfig(up: string): string {
  return `{
  "extends": "${up}tsconfig.base.json",
  "include": ["src"],
  "exclude": ["**/*.spec.ts"]
}
`;
}

/** Path inside the package → content, for everything but the licence, which is copied. */
export function skeleton(options: PackageOptions): Record<string, string> {
  const up = '../'.repeat(options.folder.split('/').length + 1);
  const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  const own = manifest(options);
  const sources = ['index', ...(options.subpaths ?? [])].map(
    (file) => [`src/${file}.ts`, 'export {};\n'] as const,
  );
  return {
    'package.json': json(own),
    'tsconfig.json': tsconfig(up),
    'README.md': `# ${own.name}\n\n${String(own['description'])}.\n`,
    ...Object.fromEntries(sources),
  };
}
