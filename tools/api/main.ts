/**
 * `npm run api`: holds what is built against the reports of what each entry exports, and names what
 * has no doc comment. `-- --write` writes the reports; the diff is the decision.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type ts from 'typescript';

import { listPackages } from '../packages/list-packages.ts';
import { checkReports } from './check-reports.ts';
import { listEntries } from './entry.ts';
import { findUndocumented } from './find-undocumented.ts';
import { openEntries } from './open-entries.ts';

const { write } = parseArgs({ options: { write: { type: 'boolean', default: false } } }).values;
const kept = resolve('tools/api/reports');
const entries = listEntries(listPackages());
const opened = openEntries(entries, { kept, fresh: resolve('.tmp/api') });
const undocumented = entries.flatMap(({ name, types }) =>
  findUndocumented(opened.state.program as ts.Program, types).map(
    (what) => `${name}: ${what} has no doc comment`,
  ),
);
const problems = [...checkReports(opened, kept, write), ...undocumented];
for (const problem of problems) console.error(problem);
console.log(`API: ${entries.length} entries, ${problems.length} problems`);
if (problems.length > 0 && !write) console.log('If it is as it should be: npm run api -- --write');
process.exitCode = problems.length > 0 ? 1 : 0;
