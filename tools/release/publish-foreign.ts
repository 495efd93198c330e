import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { listPackages } from '../packages/list-packages.ts';
import { runQuietly } from './run-quietly.ts';

/** Publishes what our packages need from elsewhere, as it is installed here; returns the names. */
export function publishForeign(folder: string, env: NodeJS.ProcessEnv): string[] {
  const manifests = listPackages().map(({ manifest }) => manifest);
  const own = new Set(manifests.map(({ name }) => name));
  const needed = manifests.flatMap((manifest) => Object.keys(manifest.dependencies ?? {}));
  const foreign = [...new Set([...needed, 'zod'])].filter((name) => !own.has(name)).sort();
  mkdirSync(folder);
  for (const name of foreign) {
    const from = resolve('node_modules', name);
    const file = runQuietly(`npm pack --silent --ignore-scripts "${from}"`, folder, env).trim();
    runQuietly(`npm publish --ignore-scripts --provenance=false "./${file}"`, folder, env);
  }
  return foreign;
}
