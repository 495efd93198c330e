import { entryPoints, listPackages } from '../../packages/list-packages.ts';

/** A suite for the tests of adapters, whose start nobody waits for. */
const SUITE = '@frontmcp/guard-storage-conformance';

/** The entries whose imports are timed: every one that a program may have. */
export function coldStartEntries(): string[] {
  return listPackages()
    .flatMap(({ manifest }) => entryPoints(manifest))
    .filter((entry) => entry !== SUITE);
}
