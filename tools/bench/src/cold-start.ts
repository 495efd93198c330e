import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { coldStartEntries } from './cold-start-entries.ts';
import {
  FULL,
  goal,
  round,
  rowOf,
  type Findings,
  type Goal,
  type GroupResult,
  type Pace,
} from './findings.ts';
import { printGroup } from './print.ts';
import { quantile, spread } from './statistics.ts';

const PRIMITIVES = [
  '@frontmcp/guard-core',
  '@frontmcp/guard-rate-limit',
  '@frontmcp/guard-semaphore',
  '@frontmcp/guard-timeout',
  '@frontmcp/guard-ip-filter',
  '@frontmcp/guard-storage-adapters/memory',
  '@frontmcp/guard-manager',
];
const UMBRELLA = '@frontmcp/guard';
const PEERS = [
  'async-sema',
  'rate-limiter-flexible',
  'express-rate-limit',
  'redis-semaphore',
  'zod',
  'ioredis',
];
const EMPTY = './cold-empty.mjs';
const BARE = 'bare node';

interface Sample {
  readonly ms: number;
  readonly cpuMs: number;
}

interface Loaded {
  readonly modules: number;
  readonly withZod: boolean;
}

/** What an import costs beside that of an empty module, and how long a fresh process takes to its first decision. */
export function benchColdStart(pace: Pace): Promise<Findings> {
  const rounds = pace === FULL ? 21 : 3;
  const imports = importGroup(rounds);
  const decisions = decisionGroup(rounds);
  return Promise.resolve({ groups: [imports, decisions], goals: goalsOf(imports, decisions) });
}

function importGroup(rounds: number): GroupResult {
  // Those that have a goal come first.
  const names = [...new Set([...PRIMITIVES, ...coldStartEntries(), ...PEERS])];
  const commands = Object.fromEntries(
    [EMPTY, ...names].map((name) => [name, ['cold-import.mjs', name]]),
  );
  const samples = inTurns(commands, rounds);
  const rows = rowsOver(samples, EMPTY, names);
  return printGroup({
    id: 'imports',
    title: 'Import, beyond that of an empty module',
    unit: 'CPU ms',
    rows: rows.map((row) => {
      const { modules, withZod } = run(['cold-import.mjs', row.name, 'hear']) as Loaded;
      const extra = { ...row.extra, files: modules, 'loads zod': withZod ? 'yes' : 'no' };
      return { ...row, extra };
    }),
  });
}

function decisionGroup(rounds: number): GroupResult {
  const names = ['@frontmcp/guard-manager', UMBRELLA];
  const commands = Object.fromEntries(names.map((name) => [name, ['cold-decision.mjs', name]]));
  const samples = inTurns({ [BARE]: ['cold-decision.mjs'], ...commands }, rounds);
  return printGroup({
    id: 'decisions',
    title: 'From the start of the process to the first decision of a manager, beyond bare Node',
    unit: 'CPU ms',
    rows: rowsOver(samples, BARE, names),
  });
}

/** Runs every command once a round, so that a busy moment hits all of them. */
function inTurns(commands: Record<string, string[]>, rounds: number): Map<string, Sample[]> {
  const samples = new Map(Object.keys(commands).map((name) => [name, [] as Sample[]]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, args] of Object.entries(commands))
      samples.get(name)?.push(run(args) as Sample);
  }
  return samples;
}

function run(args: readonly string[]): unknown {
  const [script = '', ...rest] = args;
  const output = execFileSync(process.execPath, [resolve(import.meta.dirname, script), ...rest], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  return JSON.parse(output) as unknown;
}

/**
 * A row a name, each figure less that of the base in the same round. CPU time counts, since others use the machine too; the time
 * that went by stands beside it, and the least of it.
 */
function rowsOver(
  samples: ReadonlyMap<string, readonly Sample[]>,
  base: string,
  names: readonly string[],
): GroupResult['rows'] {
  const bases = samples.get(base) ?? [];
  return names.map((name) => {
    const own = samples.get(name) ?? [];
    const beyond = own.map(({ ms }, at) => ms - (bases[at]?.ms ?? NaN));
    const least = Math.min(...own.map(({ ms }) => ms)) - Math.min(...bases.map(({ ms }) => ms));
    const cpu = own.map(({ cpuMs }, at) => cpuMs - (bases[at]?.cpuMs ?? NaN));
    const extra = {
      'elapsed, ms': round(quantile(beyond, 0.5)),
      'least elapsed, ms': round(least),
    };
    return { ...spread(name, cpu), extra };
  });
}

function goalsOf(imports: GroupResult, decisions: GroupResult): Goal[] {
  const importMs = (name: string): number => rowOf(imports, name).median;
  const loadsZod = (name: string): number =>
    rowOf(imports, name).extra?.['loads zod'] === 'no' ? 0 : 1;
  const byPrimitive = (figure: (name: string) => number): Record<string, number> =>
    Object.fromEntries(PRIMITIVES.map((name) => [name, figure(name)]));
  return [
    goal({
      id: 'cold-primitives',
      text: 'A primitive, and the manager by its own entry, import in at most 3 ms',
      bound: { atMost: 3 },
      unit: 'CPU ms',
      figures: byPrimitive(importMs),
    }),
    goal({
      id: 'cold-zod',
      text: 'None of them loads zod',
      bound: { atMost: 0 },
      unit: 'loads of zod',
      figures: byPrimitive(loadsZod),
    }),
    goal({
      id: 'cold-umbrella',
      text: 'The umbrella imports in at most 8 ms more than zod by itself',
      bound: { atMost: 8 },
      unit: 'CPU ms',
      figures: { 'beyond zod': round(importMs(UMBRELLA) - importMs('zod')) },
    }),
    goal({
      id: 'cold-decision',
      text: 'The first decision of a manager on memory comes at most 25 ms after bare Node',
      bound: { atMost: 25 },
      unit: 'CPU ms',
      figures: Object.fromEntries(decisions.rows.map(({ name, median }) => [name, median])),
    }),
  ];
}
