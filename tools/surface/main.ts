/**
 * `npm run surface`: writes what is exported now into surface.ts. Its diff is the decision: read it
 * before it is committed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { currentSurface } from './current-surface.ts';

const file = 'tools/surface/surface.ts';
const head = /^[^]*?export const surface[^=]*=/.exec(readFileSync(file, 'utf8'))?.[0];
if (head === undefined) throw new Error(`Cannot find the literal in ${file}`);
const text = `${head} ${JSON.stringify(currentSurface(), null, 2)};\n`;
writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
