/**
 * Runs the benchmarks: `npm run bench` all of them, `npm run bench -- memory timeout` some. Each part runs in a process of its own,
 * its figures go to `docs/benchmarks/<part>.json`, and the page is made anew from all of these. `--quick` takes fewer and shorter
 * slices, enough to see that everything runs, and writes nothing. `--page` measures nothing and makes the page; `--check` only says
 * whether it is what the figures make. The packages are measured as built.
 */
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { thisMachine } from './machine.ts';
import { measure } from './measure.ts';
import { staleFiles, writePage } from './page/write-page.ts';
import { parts } from './parts.ts';
import { canPin } from './pin.ts';
import { writeResult } from './result-files.ts';

const { values, positionals } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    docs: { type: 'string', default: resolve(import.meta.dirname, '../../../docs') },
  },
  allowPositionals: true,
});
const chosen = positionals.length > 0 ? positionals : Object.keys(parts);
const unknown = chosen.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  throw new Error(`Unknown part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}`);
}

if (values.check) {
  const stale = await staleFiles(values.docs);
  for (const file of stale)
    console.log(`Not what the figures make: ${relative(values.docs, file)}`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  if (!values.page) await measureAll();
  if (!values.quick) await writePage(values.docs);
}

async function measureAll(): Promise<void> {
  const pinned = canPin();
  const machine = thisMachine(pinned);
  console.log(`Node ${machine.node}, ${machine.cores} × ${machine.cpu}`);
  console.log(pinned ? 'Pinned: client on core 0, servers on core 1' : 'Not pinned to cores');
  for (const part of chosen) {
    const findings = await measure(part, values.quick, pinned);
    if (!values.quick) await writeResult(values.docs, { part, machine, ...findings });
  }
}
