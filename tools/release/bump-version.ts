import semver from 'semver';

export const bumps = ['patch', 'minor', 'major'] as const;

/** How big a change is, as a version plan says it. */
export type Bump = (typeof bumps)[number];

/**
 * The version after a change. Below 1.0.0 a major change takes the next minor version and a minor one the next patch,
 * which is what `^` ranges expect of 0.x, and what `nx release` does.
 *
 * @throws if the version is not of the form `1.2.3`; pre-releases are not made here.
 */
export function bumpVersion(version: string, bump: Bump): string {
  const parsed = semver.parse(version);
  if (parsed === null || parsed.prerelease.length > 0) {
    throw new Error(`Cannot read the version "${version}": use the form 1.2.3`);
  }
  const shifted =
    parsed.major === 0 && bump !== 'patch' ? (bump === 'major' ? 'minor' : 'patch') : bump;
  return parsed.inc(shifted).version;
}
