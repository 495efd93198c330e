/**
 * `npm run perf-guard`: holds what the hot paths allocate, send and weigh, and how they stand to a peer, to the bounds in
 * `bounds.json`. None of that depends on the machine. `--only <kind>` looks at one kind of figure, `--bounds <file>` takes other
 * bounds. The packages are measured as built.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { countBytes } from './count-bytes.ts';
import { countCommands } from './count-commands.ts';
import { judge, KINDS, type Figures, type Kind } from './judge.ts';
import { race } from './race.ts';
import { weighEntries } from './weigh.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    bounds: { type: 'string', default: resolve(import.meta.dirname, 'bounds.json') },
  },
});
const bounds = JSON.parse(readFileSync(values.bounds, 'utf8')) as Figures;
const measures: Readonly<Record<Kind, () => Figures[Kind] | Promise<Figures[Kind]>>> = {
  bytes: countBytes,
  commands: async () => (await countCommands()).commands,
  'round trips': async () => (await countCommands()).roundTrips,
  kilobytes: weighEntries,
  'times as fast': () => race(bounds['times as fast']),
};
const kinds = KINDS.filter((kind) => values.only === undefined || kind === values.only);
if (kinds.length === 0) throw new Error(`Unknown kind "${values.only ?? ''}"`);

let faults = 0;
for (const kind of kinds) {
  const verdict = judge(kind, await measures[kind](), bounds[kind]);
  for (const line of verdict.lines) console.log(`  ${line}`);
  for (const fault of verdict.faults) console.log(`✗ ${fault}`);
  faults += verdict.faults.length;
}
console.log(faults === 0 ? 'All within bounds' : `${faults} out of bounds`);
process.exit(faults === 0 ? 0 : 1);
