export const bumps = ['patch', 'minor', 'major'] as const;

/** How big a change is, as a version plan says it. */
export type Bump = (typeof bumps)[number];

/**
 * The version after a change. Below 1.0.0 a major change takes the next minor version and a minor one the next patch,
 * which is what `^` ranges expect of 0.x.
 *
 * @throws if the version is not of the form `1.2.3`; pre-releases are not made here.
 */
export function bumpVersion(version: string, bump: Bump): string {
  const [major, minor, patch] = parseVersion(version);
  const shifted = major === 0 && bump !== 'patch' ? (bump === 'major' ? 'minor' : 'patch') : bump;
  if (shifted === 'major') return `${major + 1}.0.0`;
  return shifted === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** @throws if the version is not of the form `1.2.3`. */
export function parseVersion(version: string): [major: number, minor: number, patch: number] {
  const found = /^(\d+)\.(\d+)\.(\d+)$/.exec(version);
  if (found === null) throw new Error(`Cannot read the version "${version}": use the form 1.2.3`);
  return [Number(found[1]), Number(found[2]), Number(found[3])];
}
