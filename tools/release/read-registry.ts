import type { Checkout } from './checkout.ts';
import { readRanges } from './read-members.ts';
import type { Member, RangeField } from './settle-release.ts';
import { describeRanges, type Published, type Snapshot } from './snapshot.ts';

interface Packument {
  readonly versions: Record<string, Partial<Record<RangeField, Record<string, string>>>>;
  readonly 'dist-tags': { readonly latest: string };
}

/**
 * What a registry says of each package, private ones too, and what their changelogs in the checkout say beyond the given
 * number of entries.
 */
export async function readRegistry(
  url: string,
  checkout: Checkout,
  older: ReadonlyMap<string, number>,
): Promise<Snapshot> {
  const members = checkout.members();
  const own = new Set(members.map(({ name }) => name));
  const all = await Promise.all(
    members.map(async (member): Promise<[Member, Published][]> => {
      // A connection that is kept would be gone by the next question: npm runs meanwhile, and blocks.
      const headers = { connection: 'close' };
      const response = await fetch(`${url}${member.name.replace('/', '%2f')}`, { headers });
      const changelog = checkout.changelog(member).slice(older.get(member.name));
      if (response.status === 404 && changelog.length === 0) return [];
      const packument = (await response.json()) as Packument;
      const latest = packument.versions[packument['dist-tags'].latest] ?? {};
      const ranges = describeRanges(readRanges(latest, own));
      return [[member, { versions: Object.keys(packument.versions), changelog, ranges }]];
    }),
  );
  return Object.fromEntries(all.flat().map(([{ name }, published]) => [name, published]));
}
