/** `npm run requirements`: fails on a requirement without a test and a citation without one. */
import { globSync, readdirSync } from 'node:fs';
import { requirements } from '../../docs/spec/requirements.ts';
import { checkRequirements } from './check-requirements.ts';
import { findCitations } from './find-citations.ts';

const tests = [
  'packages/**/*.spec.ts',
  'packages/**/test/**/*.ts',
  'packages/storage-conformance/src/**/*.ts',
  'tools/**/*.spec.ts',
  'docs/**/*.spec.ts',
];
const specs = globSync(tests, {
  exclude: ['**/node_modules', '**/dist', 'tools/spec-requirements/**'],
});
const { problems, counts } = checkRequirements(
  requirements,
  findCitations([...new Set(specs)]),
  readdirSync('docs/adr'),
);
for (const problem of problems) console.error(problem);
const summary = Object.entries(counts).map(([status, count]) => `${count} ${status}`);
console.log(`Requirements: ${summary.join(', ') || 'none'}; ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
