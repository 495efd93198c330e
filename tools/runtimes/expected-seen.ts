import { currentSurface } from '../surface/current-surface.ts';
import type { Format, Seen } from './answer.ts';
import { behaviours } from './behaviours/behaviours.ts';

const files = { esm: 'dist/index.js', cjs: 'dist/index.cjs' };
const surface = currentSurface();

/** What must be seen of the packages: every value of an entry, from the build, and every behaviour. */
export function expectedSeen(entries: readonly string[], format?: Format): Seen {
  return {
    entries: Object.fromEntries(entries.map((entry) => [entry, valuesOf(entry)])),
    ...(format && { file: files[format] }),
    behaviours: Object.fromEntries(behaviours.map(({ name, expected }) => [name, expected])),
  };
}

/** By the source of the entry, where types are told apart. */
function valuesOf(entry: string): string[] {
  return (surface[entry] ?? []).filter((name) => !name.startsWith('type ')).sort();
}
