import { parseVersion } from './bump-version.ts';

/**
 * Whether a range that one of our packages gives for another takes a version. Only the forms in use are known: `^1.2.3`,
 * an exact version, and `*`.
 *
 * @throws on any other form, since a wrong answer would leave a dependent behind.
 */
export function matchesRange(range: string, version: string): boolean {
  if (range === '*') return true;
  if (!range.startsWith('^')) return parseVersion(range).join() === parseVersion(version).join();
  const lowest = parseVersion(range.slice(1));
  const given = parseVersion(version);
  const fixed = lowest.findIndex((part) => part > 0);
  if (fixed === -1) return given.join() === lowest.join();
  const sameLine = lowest.slice(0, fixed + 1).join() === given.slice(0, fixed + 1).join();
  return sameLine && !isBefore(given, lowest);
}

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const differs = one.findIndex((part, index) => part !== other[index]);
  return differs !== -1 && Number(one[differs]) < Number(other[differs]);
}
