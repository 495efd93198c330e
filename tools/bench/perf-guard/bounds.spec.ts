import { readFileSync } from 'node:fs';

import { listPackages } from '../../packages/list-packages.ts';
import type { Figures } from './judge.ts';

/** Core is in all of the others, the manager in the umbrella, and the suite in nobody's program. */
const WITHOUT = [
  '@frontmcp/guard-core',
  '@frontmcp/guard-manager',
  '@frontmcp/guard-storage-conformance',
];

describe('the bounds', () => {
  const { kilobytes } = JSON.parse(
    readFileSync('tools/bench/perf-guard/bounds.json', 'utf8'),
  ) as Figures;
  const names = listPackages().map(({ manifest }) => manifest.name);

  it('have one for the size of every package', () => {
    const bounded = Object.keys(kilobytes).map((what) => what.split(/, |\/(?!guard)/)[0]);
    const missing = names.filter((name) => ![...WITHOUT, ...bounded].includes(name));
    const advice = 'write a use of it into plugin-uses.ts, and its "kilobytes" into bounds.json';
    expect(missing.map((name) => `${name} has no bound: ${advice}`)).toEqual([]);
  });
});
