import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSnippets } from '../docs-snippets/find-snippets.ts';
import { runQuietly } from './run-quietly.ts';

/** A project of a user's: an empty folder, plain npm, and the registry that its environment names. */
export class Consumer {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#env = env;
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true }\n');
  }

  run(command: string): void {
    runQuietly(command, this.#folder, this.#env);
  }

  /** What lies in node_modules: versions by path, below `node_modules/`. */
  installed(): Record<string, string> {
    const file = join(this.#folder, 'node_modules/.package-lock.json');
    const lock = JSON.parse(readFileSync(file, 'utf8')) as {
      packages: Record<string, { version: string }>;
    };
    return Object.fromEntries(
      Object.entries(lock.packages).map(([path, { version }]) => [
        path.replace(/^node_modules\//, ''),
        version,
      ]),
    );
  }

  /** Runs the first code in an installed package's README that is meant to be run as it is; returns its line there. */
  runReadme(name: string): number {
    const readme = readFileSync(join(this.#folder, 'node_modules', name, 'README.md'), 'utf8');
    const snippet = findSnippets(`${name}/README.md`, readme).snippets.find(
      ({ then, store }) => then === 'run' && store === undefined,
    );
    if (snippet === undefined) throw new Error(`The README of ${name} has no code to run`);
    writeFileSync(join(this.#folder, 'snippet.mts'), snippet.code);
    runQuietly(`"${process.execPath}" snippet.mts`, this.#folder, this.#env);
    return snippet.line;
  }

  /** What the rehearsal has left in the package that is installed; "nothing" in one that it has not changed. */
  rehearsed(name: string): string {
    const code = `import * as m from '${name}'; console.log(m.rehearsed ?? 'nothing')`;
    writeFileSync(join(this.#folder, 'rehearsed.mjs'), code);
    return runQuietly(`"${process.execPath}" rehearsed.mjs`, this.#folder, this.#env).trim();
  }
}
