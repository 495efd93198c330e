/**
 * What Node, Bun and Deno run: loads every entry from what is built, once as ESM and once as CommonJS,
 * reports what it saw as one line of JSON, and must then end by itself.
 */
import { createRequire } from 'node:module';

import type { Answer, Question, Seen } from './answer.ts';
import type { Format, Loaded } from './behaviours/behaviour.ts';
import { observeBehaviours } from './behaviours/behaviours.ts';
import { openStore } from './open-store.ts';

const require = createRequire(import.meta.url);
const question = JSON.parse(process.argv[2] ?? '') as Question;

const esm = (entry: string): Promise<object> => import(entry) as Promise<object>;
const cjs = (entry: string): Promise<object> =>
  new Promise((resolve) => resolve(require(entry) as object));

async function see(
  format: Format,
  load: (entry: string) => Promise<object>,
  file: string,
): Promise<Seen> {
  const entries: Record<string, string[] | string> = {};
  for (const entry of question.entries) {
    try {
      entries[entry] = namesOf(await load(entry));
    } catch (error) {
      entries[entry] = String((error as Error).stack);
    }
  }
  const loaded = {
    conformance: await load('@frontmcp/guard-storage-conformance'),
    guard: await load('@frontmcp/guard'),
    hono: await load('@frontmcp/guard-hono'),
    http: await load('@frontmcp/guard-http'),
  } as Loaded;
  const store = await openStore(loaded, question);
  const behaviours = await observeBehaviours(format, loaded, store);
  await store.close();
  return { entries, file: file.replaceAll('\\', '/').split('/').slice(-2).join('/'), behaviours };
}

function namesOf(module: object): string[] {
  // Some runtimes add these to a module that was loaded in the other way.
  return Object.keys(module)
    .filter((name) => name !== 'default' && name !== 'module.exports')
    .sort();
}

const { versions } = process as { versions: Record<string, string | undefined> };
const answer: Answer = {
  version: versions['bun'] ?? versions['deno'] ?? versions['node'] ?? 'unknown',
  seen: {
    esm: await see('esm', esm, import.meta.resolve('@frontmcp/guard')),
    cjs: await see('cjs', cjs, require.resolve('@frontmcp/guard')),
  },
};
process.stdout.write(`${JSON.stringify(answer)}\n`);
