import { surface } from '../surface/surface.ts';
import type { Format, Seen } from './answer.ts';
import { behaviours } from './behaviours/behaviours.ts';

const files = { esm: 'dist/index.js', cjs: 'dist/index.cjs' };

/** What must be seen of the packages: every name that is pinned, from the build, and every behaviour. */
export function expectedSeen(entries: readonly string[], format?: Format): Seen {
  return {
    entries: Object.fromEntries(entries.map((entry) => [entry, valuesOf(entry)])),
    ...(format && { file: files[format] }),
    behaviours: Object.fromEntries(behaviours.map(({ name, expected }) => [name, expected])),
  };
}

function valuesOf(entry: string): string[] {
  return (surface[entry] ?? []).filter((name) => !name.startsWith('type ')).sort();
}
