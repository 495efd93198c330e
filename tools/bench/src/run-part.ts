/** The process of one part: `run-part.ts <part> [--quick]`. Sends what it has found to the process that started it. */
import { parseArgs } from 'node:util';
import { FULL, QUICK } from './findings.ts';
import { parts } from './parts.ts';
import { printGoals } from './print.ts';

process.on('disconnect', () => process.exit());

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [name = ''] = positionals;
const part = await parts[name]?.load();
if (part === undefined) throw new Error(`Unknown part "${name}"`);

const findings = await part(values.quick ? QUICK : FULL);
console.log();
printGoals(findings.goals);
if (process.send === undefined) process.exit();
process.send(findings, () => process.exit());
