import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What lies in a consumer's node_modules after one package has been installed. */
export interface Landing {
  /** Every package, the installed one too; nested ones by their path. */
  readonly packages: readonly string[];
  /**
   * What is built of the package itself, by name and without the hash of a name: `index` stands for code and types, as ESM
   * and as CommonJS, and `shared (code)` for code alone.
   */
  readonly dist: readonly string[];
  /** What lies beside `dist`. */
  readonly beside: readonly string[];
}

/** Reads what npm has put there; what was linked later is not in it. */
export function readLanding(folder: string, name: string): Landing {
  const modules = join(folder, 'node_modules');
  const lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as {
    packages: Record<string, unknown>;
  };
  const files = globSync('**/*.{js,cjs,d.ts,d.cts}', { cwd: join(modules, name, 'dist') });
  return {
    packages: Object.keys(lock.packages)
      .map((path) => path.replace(/^node_modules\//, ''))
      .sort(),
    dist: describeBuilt(files.map((file) => file.replaceAll('\\', '/'))),
    beside: readdirSync(join(modules, name))
      .filter((entry) => entry !== 'dist')
      .sort(),
  };
}

const kinds: Readonly<Record<string, string>> = {
  'cjs d.cts d.ts js': '',
  'cjs js': ' (code)',
  'd.cts d.ts': ' (types)',
};

function describeBuilt(files: readonly string[]): string[] {
  const endings = new Map<string, string[]>();
  for (const file of [...files].sort()) {
    const [, name = '', ending = ''] = /^(.*?)(?:-[\w-]{8})?\.(d\.c?ts|c?js)$/.exec(file) ?? [];
    endings.set(name, [...(endings.get(name) ?? []), ending].sort());
  }
  return [...endings]
    .map(([name, ends]) => `${name}${kinds[ends.join(' ')] ?? ` (${ends.join(' ')})`}`)
    .sort();
}
