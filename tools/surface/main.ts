/**
 * `npm run surface`: writes what the packages depend on now into dependencies.ts. The diff is the
 * decision: read it before it is committed. What they export is in the reports of `npm run api`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { currentDependencies } from './read-dependencies.ts';

const file = 'tools/surface/dependencies.ts';
const head = /^[^]*?export const dependencies[^=]*=/.exec(readFileSync(file, 'utf8'))?.[0];
if (head === undefined) throw new Error(`Cannot find the literal in ${file}`);
const text = `${head} ${JSON.stringify(currentDependencies(), null, 2)};\n`;
writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
