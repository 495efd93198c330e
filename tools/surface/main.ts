/**
 * `npm run surface`: writes what is exported now into surface.ts, and what the packages depend on
 * into dependencies.ts. The diff is the decision: read it before it is committed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { currentSurface } from './current-surface.ts';
import { currentDependencies } from './read-dependencies.ts';

async function write(name: string, value: unknown): Promise<void> {
  const file = `tools/surface/${name}.ts`;
  const head = new RegExp(`^[^]*?export const ${name}[^=]*=`).exec(readFileSync(file, 'utf8'))?.[0];
  if (head === undefined) throw new Error(`Cannot find the literal in ${file}`);
  const text = `${head} ${JSON.stringify(value, null, 2)};\n`;
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
}

await write('surface', currentSurface());
await write('dependencies', currentDependencies());
