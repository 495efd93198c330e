import { settleRelease, type Member } from './settle-release.ts';
import { differences, nextSnapshot, type Snapshot } from './snapshot.ts';

const members: Member[] = [
  { name: 'limit', version: '0.1.0', private: false, ranges: [] },
  {
    name: 'guard',
    version: '0.1.4',
    private: false,
    ranges: [
      { field: 'dependencies', on: 'limit', range: '^0.1.0' },
      { field: 'devDependencies', on: 'tool', range: '^0.0.0' },
    ],
  },
  {
    name: 'tool',
    version: '0.0.0',
    private: true,
    ranges: [{ field: 'devDependencies', on: 'limit', range: '^0.1.0' }],
  },
];
const before: Snapshot = {
  limit: { versions: ['0.1.0'], changelog: ['0.1.0'], ranges: [] },
  guard: {
    versions: ['0.1.4'],
    changelog: ['0.1.4'],
    ranges: ['dependencies limit ^0.1.0', 'devDependencies tool ^0.0.0'],
  },
};
const after = (bump: 'patch' | 'major') =>
  nextSnapshot(before, members, settleRelease(members, new Map([['limit', bump]])));

describe('nextSnapshot', () => {
  it('expects a fix of nobody else', () => {
    expect(after('patch')).toEqual({
      ...before,
      limit: { versions: ['0.1.0', '0.1.1'], changelog: ['0.1.0', '0.1.1'], ranges: [] },
    });
  });

  it('expects a breaking change to take its dependents along, and no tool', () => {
    expect(after('major')).toEqual({
      limit: { versions: ['0.1.0', '0.2.0'], changelog: ['0.1.0', '0.2.0'], ranges: [] },
      guard: {
        versions: ['0.1.4', '0.1.5'],
        changelog: ['0.1.4', '0.1.5'],
        ranges: ['dependencies limit ^0.2.0', 'devDependencies tool ^0.0.0'],
      },
    });
  });
});

describe('differences', () => {
  const guard = before.guard!;

  it('finds none where all is as expected', () => {
    expect(differences(after('major'), after('major'))).toEqual([]);
  });

  it.each([
    ['a version too many', { ...before, guard: { ...guard, versions: ['0.1.4', '0.1.5'] } }],
    ['a changelog that is missing', { ...before, guard: { ...guard, changelog: [] } }],
    ['a range that was left behind', { ...before, guard: { ...guard, ranges: [] } }],
    ['a package that is missing', { limit: before.limit! }],
    ['a package too many', { ...before, tool: guard }],
  ])('finds %s', (_, seen) => {
    expect(differences(before, seen)).toHaveLength(1);
  });

  it('says what is seen and what was expected', () => {
    expect(differences(after('major'), before)).toEqual([
      'guard: versions 0.1.4, expected 0.1.4, 0.1.5',
      'guard: changelog 0.1.4, expected 0.1.4, 0.1.5',
      'guard: ranges dependencies limit ^0.1.0, devDependencies tool ^0.0.0, ' +
        'expected dependencies limit ^0.2.0, devDependencies tool ^0.0.0',
      'limit: versions 0.1.0, expected 0.1.0, 0.2.0',
      'limit: changelog 0.1.0, expected 0.1.0, 0.2.0',
    ]);
  });
});
