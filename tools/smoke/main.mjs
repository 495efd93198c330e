/**
 * `node tools/smoke/main.mjs`: loads every entry of every built package, as ESM and as CommonJS, on
 * the Node that runs it, and guards a call with each build. JavaScript, and not an npm script: both
 * would lead to the Node that the tools need, not to the oldest one that the packages are for.
 */
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const names = (loaded) => Object.keys(loaded).sort().join(' ');
const problems = [];

const entries = globSync(['packages/*/package.json', 'packages/plugins/*/package.json']).flatMap(
  (file) => {
    const { name, exports } = JSON.parse(readFileSync(file, 'utf8'));
    const subpaths = Object.keys(exports).filter((subpath) => subpath !== './package.json');
    return subpaths.map((subpath) => name + subpath.slice(1));
  },
);
for (const entry of entries) {
  try {
    const [esm, cjs] = [await import(entry), require(entry)];
    if (names(esm) !== names(cjs)) problems.push(`${entry}: ESM and CommonJS differ`);
    if (entry === '@frontmcp/guard') await Promise.all([esm, cjs].map(guardACall));
  } catch (error) {
    problems.push(`${entry}: ${error.stack}`);
  }
}
if (!entries.includes('@frontmcp/guard')) problems.push('@frontmcp/guard is not here');

/** Admits one call and refuses the second. */
async function guardACall({ createGuardManager }) {
  const config = { enabled: true, defaultRateLimit: { maxRequests: 1, windowMs: 60_000 } };
  const guard = await createGuardManager({ config });
  const answers = [];
  for (let call = 0; call < 2; call++) {
    answers.push(await guard.run('smoke', {}, async () => 'done').catch(({ code }) => code));
  }
  await guard.destroy();
  if (answers.join() !== 'done,RATE_LIMIT_EXCEEDED') problems.push(`Got ${answers.join()}`);
}

for (const problem of problems) console.error(problem);
console.log(
  `Node ${process.versions.node}: ${entries.length} entries, ${problems.length} problems`,
);
process.exitCode = problems.length > 0 ? 1 : 0;
