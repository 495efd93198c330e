import { currentSurface } from '../surface/current-surface.ts';
import type { Seen } from './answer.ts';
import type { Format } from './behaviours/behaviour.ts';
import { behavioursOf } from './behaviours/behaviours.ts';

const files = { esm: 'dist/index.js', cjs: 'dist/index.cjs' };
const surface = currentSurface();

/**
 * What must be seen of the packages: every value of an entry, and every behaviour.
 *
 * @param hasFiles Whether the runtime can say from which file it loaded a package.
 */
export function expectedSeen(entries: readonly string[], format: Format, hasFiles = true): Seen {
  const expected = behavioursOf(format).map((behaviour) => [behaviour.name, behaviour.expected]);
  return {
    entries: Object.fromEntries(entries.map((entry) => [entry, valuesOf(entry)])),
    ...(hasFiles && { file: files[format] }),
    behaviours: Object.fromEntries(expected) as Seen['behaviours'],
  };
}

/** By the source of the entry, where types are told apart. */
function valuesOf(entry: string): string[] {
  return (surface[entry] ?? []).filter((name) => !name.startsWith('type ')).sort();
}
