import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { goal, isOurs, rowOf, type Findings, type Pace, type Row } from './findings.ts';
import { printGroup } from './print.ts';
import { uses, type Use } from './size-uses.ts';

/** What the simplest use of each library comes to when it is bundled, minified and gzipped, its clients and zod left outside. */
export async function benchSize(_pace: Pace): Promise<Findings> {
  const rows: Row[] = [];
  for (const use of uses) rows.push(await weigh(use));
  const group = printGroup({ id: 'size', title: 'Simplest use', unit: 'KB gzipped', rows });
  const goals = [
    goal({
      id: 'size-rate-limit',
      text: 'The rate limit with its core is at most 3 KB',
      bound: { atMost: 3 },
      unit: 'KB',
      figures: { 'rate limit': rowOf(group, '@frontmcp/guard-rate-limit').median },
    }),
    goal({
      id: 'size-umbrella',
      text: 'The umbrella with memory, without zod, is at most 12 KB',
      bound: { atMost: 12 },
      unit: 'KB',
      figures: { umbrella: rowOf(group, '@frontmcp/guard, a manager on memory').median },
    }),
  ];
  return { groups: [group], goals };
}

/** A row with the size of one use. */
export async function weigh({ name, source, external = [] }: Use): Promise<Row> {
  const code = await bundle(source, external);
  const kilobytes = gzipSync(code, { level: 9 }).length / 1000;
  const median = Number(kilobytes.toFixed(2));
  const extra = { 'minified, KB': Number((Buffer.byteLength(code) / 1000).toFixed(1)) };
  return { name, ours: isOurs(name), median, low: median, high: median, extra };
}

/** The chunk that a program of one statement becomes, with what it loads later. */
async function bundle(source: string, external: readonly string[]): Promise<string> {
  const entry = '\0use.mjs';
  const build = await rolldown({
    input: entry,
    cwd: import.meta.dirname,
    platform: 'node',
    external: external.map((name) => new RegExp(`^${name}(/|$)`)),
    logLevel: 'silent',
    plugins: [
      {
        name: 'use',
        resolveId(id, importer) {
          if (id === entry) return id;
          if (importer === entry) return this.resolve(id, `${import.meta.dirname}/size.ts`);
          return undefined;
        },
        load: (id) => (id === entry ? source : undefined),
      },
    ],
  });
  try {
    const { output } = await build.generate({ format: 'esm', minify: true, comments: false });
    return output.map((chunk) => ('code' in chunk ? chunk.code : '')).join('\n');
  } finally {
    await build.close();
  }
}
