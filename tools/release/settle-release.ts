import semver from 'semver';
import { bumpVersion, type Bump } from './bump-version.ts';

export type RangeField =
  'dependencies' | 'peerDependencies' | 'optionalDependencies' | 'devDependencies';

/** What a release needs to know of a package.json. */
export interface Member {
  readonly name: string;
  readonly version: string;
  /** Never published, so it never gets a version. */
  readonly private: boolean;
  readonly ranges: readonly MemberRange[];
}

export interface MemberRange {
  readonly field: RangeField;
  readonly on: string;
  readonly range: string;
}

export interface Settled {
  /** The new version of each package that is released. */
  readonly versions: ReadonlyMap<string, string>;
  /** The packages that have to follow a change, by the name of what changed. */
  readonly followers: ReadonlyMap<string, readonly string[]>;
  /** The ranges that change, in whichever package, published or not. */
  readonly ranges: readonly NewRange[];
}

export interface NewRange extends MemberRange {
  readonly of: string;
}

/**
 * Says what a release consists of, given the packages and how big the change of each is. A package whose installed range
 * no longer takes what it depends on gets a new range, and is released with a patch unless it has a change of its own. A
 * range that still takes it makes nobody released; but who is released asks for the versions that it was tested with, since
 * it may use what the ones before do not have. Ranges for development change without a release.
 *
 * @throws if a change is named for a package that is not there, or is private, if what is released depends on a
 * pre-release, and if a range is none: it would take no version, and be replaced in silence.
 */
export function settleRelease(
  members: readonly Member[],
  changes: ReadonlyMap<string, Bump>,
): Settled {
  const versions = new Map<string, string>();
  const followers = new Map<string, string[]>();
  for (const { name, ranges } of members) {
    for (const { field, on, range } of ranges) {
      if (semver.validRange(range) !== null) continue;
      throw new Error(`Cannot read the range "${range}" of "${on}" in ${field} of "${name}"`);
    }
  }
  for (const [name, bump] of changes) {
    const member = members.find((one) => one.name === name);
    if (member === undefined) throw new Error(`Cannot release "${name}": it is no package here`);
    if (member.private) throw new Error(`Cannot release "${name}": it is private`);
    versions.set(name, bumpVersion(member.version, bump));
  }
  for (const changed of versions.keys()) {
    const following = members.filter(
      (member) => !member.private && lost(member, versions).some(isInstalledFrom(changed)),
    );
    if (following.length > 0) followers.set(changed, names(following));
    for (const { name, version } of following) {
      // A map goes on over what is added to it meanwhile, so that who follows a follower is found too.
      if (!versions.has(name)) versions.set(name, bumpVersion(version, 'patch'));
    }
  }
  return { versions, followers, ranges: newRanges(members, versions) };
}

function isInstalledFrom(changed: string): (range: MemberRange) => boolean {
  return ({ on, field }) => on === changed && field !== 'devDependencies';
}

function lost(member: Member, versions: ReadonlyMap<string, string>): MemberRange[] {
  return member.ranges.filter(({ on, range }) => {
    const version = versions.get(on);
    return version !== undefined && !semver.satisfies(version, range);
  });
}

function newRanges(members: readonly Member[], versions: ReadonlyMap<string, string>): NewRange[] {
  return members.flatMap((member) => {
    const left = [...lost(member, versions), ...lowest(member, members, versions)];
    return member.ranges
      .filter((range) => left.includes(range))
      .map(({ field, on }) => ({
        of: member.name,
        field,
        on,
        range: `^${versionOf(on, members, versions) ?? ''}`,
      }));
  });
}

/**
 * The ranges by which who is released would take less than it was tested with. A peer is for its user to choose, and a
 * range that is no `^` was chosen by its author.
 */
function lowest(
  { name, ranges }: Member,
  members: readonly Member[],
  versions: ReadonlyMap<string, string>,
): MemberRange[] {
  if (!versions.has(name)) return [];
  return ranges.filter(({ field, on, range }) => {
    const isOwn = field === 'dependencies' || field === 'optionalDependencies';
    const version = versionOf(on, members, versions);
    if (!isOwn || version === undefined) return false;
    if (semver.prerelease(version) !== null) {
      throw new Error(
        `Cannot release "${name}": it depends on the pre-release ${version} of "${on}"`,
      );
    }
    return range.startsWith('^') && range !== `^${version}`;
  });
}

function versionOf(
  name: string,
  members: readonly Member[],
  versions: ReadonlyMap<string, string>,
): string | undefined {
  return versions.get(name) ?? members.find((one) => one.name === name)?.version;
}

function names(members: readonly Member[]): string[] {
  return members.map(({ name }) => name);
}
