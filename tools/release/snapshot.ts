import type { Member, MemberRange, Settled } from './settle-release.ts';

/** What can be seen of a published package. */
export interface Published {
  /** All its versions in the registry, the first one first. */
  readonly versions: readonly string[];
  /** The versions that its changelog has got since the first of them, the first one first. */
  readonly changelog: readonly string[];
  /** The ranges that its latest version gives for its siblings, such as `dependencies guard-core ^0.1.0`. */
  readonly ranges: readonly string[];
}

/** What can be seen of all packages, by name. */
export type Snapshot = Readonly<Record<string, Published>>;

/** What a release should leave, given what was there, the packages as they were, and what the release consists of. */
export function nextSnapshot(
  before: Snapshot,
  members: readonly Member[],
  { versions, ranges }: Settled,
): Snapshot {
  const next = members.flatMap((member): [string, Published][] => {
    const version = versions.get(member.name);
    const known = before[member.name] ?? { versions: [], changelog: [], ranges: [] };
    if (member.private) return [];
    if (version === undefined) return [[member.name, known]];
    const changed = ranges.filter(({ of }) => of === member.name);
    const now = member.ranges.map(
      (one) => changed.find(({ field, on }) => field === one.field && on === one.on) ?? one,
    );
    const published = {
      versions: [...known.versions, version],
      changelog: [...known.changelog, version],
      ranges: describeRanges(now),
    };
    return [[member.name, published]];
  });
  return Object.fromEntries(next);
}

export function describeRanges(ranges: readonly MemberRange[]): string[] {
  return ranges.map(({ field, on, range }) => `${field} ${on} ${range}`).sort();
}

/** Every way in which what is seen is not what was expected, as a line each. */
export function differences(expected: Snapshot, seen: Snapshot): string[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(seen)])].sort();
  return names.flatMap((name) => {
    const [one, other] = [expected[name], seen[name]];
    if (one === undefined) return [`${name} is published, and should not be`];
    if (other === undefined) return [`${name} is not published`];
    return (['versions', 'changelog', 'ranges'] as const)
      .filter((what) => one[what].join() !== other[what].join())
      .map((what) => `${name}: ${what} ${said(other[what])}, expected ${said(one[what])}`);
  });
}

function said(list: readonly string[]): string {
  return list.length === 0 ? 'none' : list.join(', ');
}
