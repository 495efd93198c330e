import { isOurs } from '../src/findings.ts';
import { weigh } from '../src/size.ts';
import { uses } from '../src/size-uses.ts';
import type { Figures } from './judge.ts';
import { pluginUses } from './plugin-uses.ts';

/** What the simplest use of each of our entries comes to, minified and gzipped. */
export async function weighEntries(): Promise<Figures['kilobytes']> {
  const found: Record<string, number> = {};
  for (const use of [...uses.filter(({ name }) => isOurs(name)), ...pluginUses]) {
    found[use.name] = (await weigh(use)).median;
  }
  return found;
}
