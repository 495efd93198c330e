import type { Bump } from './bump-version.ts';
import { settleRelease, type Member, type RangeField } from './settle-release.ts';

function member(
  name: string,
  version: string,
  ranges: Partial<Record<RangeField, Record<string, string>>> = {},
  isPrivate = false,
): Member {
  const all = (Object.entries(ranges) as [RangeField, Record<string, string>][]).flatMap(
    ([field, of]) => Object.entries(of).map(([on, range]) => ({ field, on, range })),
  );
  return { name, version, private: isPrivate, ranges: all };
}

const members = [
  member('core', '0.1.0'),
  member('limit', '0.1.0', {
    dependencies: { core: '^0.1.0' },
    devDependencies: { store: '^0.1.0' },
  }),
  member('store', '1.4.0', { peerDependencies: { core: '^0.1.0' } }),
  member('manager', '0.1.3', { dependencies: { limit: '^0.1.0', zod: '^4.0.0' } }),
  member('plugin', '0.1.0', { dependencies: { manager: '^0.1.0' } }),
  member('pinned', '2.0.0', { optionalDependencies: { manager: '0.1.3' } }),
  member('tool', '0.0.0', { devDependencies: { limit: '^0.1.0', plugin: '^0.1.0' } }, true),
];
const settle = (changes: Record<string, Bump>) => {
  const { versions, ...rest } = settleRelease(members, new Map(Object.entries(changes)));
  return { versions: Object.fromEntries(versions), ...rest };
};

describe('settleRelease', () => {
  it('leaves alone who still takes what changed', () => {
    expect(settle({ limit: 'patch' })).toEqual({
      versions: { limit: '0.1.1' },
      followers: new Map(),
      ranges: [],
    });
  });

  it('releases who no longer takes what changed, and who follows them', () => {
    expect(settle({ limit: 'major' })).toEqual({
      versions: { limit: '0.2.0', manager: '0.1.4', pinned: '2.0.1' },
      followers: new Map([
        ['limit', ['manager']],
        ['manager', ['pinned']],
      ]),
      ranges: [
        { of: 'manager', field: 'dependencies', on: 'limit', range: '^0.2.0' },
        { of: 'pinned', field: 'optionalDependencies', on: 'manager', range: '^0.1.4' },
        { of: 'tool', field: 'devDependencies', on: 'limit', range: '^0.2.0' },
      ],
    });
  });

  it('keeps the change of its own that a follower has', () => {
    const { versions } = settle({ limit: 'major', manager: 'major' });
    expect(versions).toEqual({
      limit: '0.2.0',
      manager: '0.2.0',
      plugin: '0.1.1',
      pinned: '2.0.1',
    });
  });

  it('has who is released ask for what it was tested with', () => {
    expect(settle({ core: 'minor', limit: 'patch' })).toEqual({
      versions: { core: '0.1.1', limit: '0.1.1' },
      followers: new Map(),
      ranges: [{ of: 'limit', field: 'dependencies', on: 'core', range: '^0.1.1' }],
    });
    expect(settle({ plugin: 'patch' }).ranges).toEqual([
      { of: 'plugin', field: 'dependencies', on: 'manager', range: '^0.1.3' },
    ]);
    expect(settle({ core: 'patch', pinned: 'patch' }).ranges).toEqual([]);
  });

  it('changes a range for development without a release', () => {
    expect(settle({ store: 'major' })).toEqual({
      versions: { store: '2.0.0' },
      followers: new Map(),
      ranges: [{ of: 'limit', field: 'devDependencies', on: 'store', range: '^2.0.0' }],
    });
  });

  it('takes a peer for a dependency', () => {
    const { versions, ranges } = settle({ core: 'major' });
    expect(versions).toEqual({ core: '0.2.0', limit: '0.1.1', store: '1.4.1' });
    expect(ranges).toContainEqual({
      of: 'store',
      field: 'peerDependencies',
      on: 'core',
      range: '^0.2.0',
    });
  });

  it.each(['^0.1.0', '^0.2.0-rc.0', '0.2.0-rc.0'])(
    'refuses to have what is released ask for a pre-release by %s',
    (range) => {
      const limit = member('limit', '0.1.0', { dependencies: { core: range } });
      const all = [member('core', '0.2.0-rc.0'), limit];
      expect(() => settleRelease(all, new Map([['limit', 'patch']]))).toThrow(
        'Cannot release "limit": it depends on the pre-release 0.2.0-rc.0 of "core"',
      );
    },
  );

  it.each([
    ['~0.1.0', 'major', [['limit', 'dependencies', 'core', '^0.2.0']]],
    ['~0.1.0', 'patch', []],
    ['0.1.x || 0.2.x', 'major', []],
    ['*', 'major', []],
  ] as const)('knows whether %s takes a %s change', (range, bump, expected) => {
    const all = [
      member('core', '0.1.0'),
      member('limit', '0.1.0', { dependencies: { core: range } }),
    ];
    const { ranges } = settleRelease(all, new Map([['core', bump]]));
    expect(ranges.map((one) => [one.of, one.field, one.on, one.range])).toEqual(expected);
  });

  it('keeps a range that is no ^ and takes what is there', () => {
    const limit = member('limit', '0.1.0', { dependencies: { core: '~0.1.0' } });
    const all = [member('core', '0.1.3'), limit];
    expect(settleRelease(all, new Map([['limit', 'patch']])).ranges).toEqual([]);
  });

  it.each(['workspace:*', 'latest', '^0.1.0.0'])('refuses the range %s', (range) => {
    const limit = member('limit', '0.1.0', { devDependencies: { core: range } });
    const all = [member('core', '0.1.0'), limit];
    expect(() => settleRelease(all, new Map())).toThrow(
      `Cannot read the range "${range}" of "core" in devDependencies of "limit"`,
    );
  });

  it('refuses a change of what is private or not there', () => {
    expect(() => settle({ tool: 'patch' })).toThrow('Cannot release "tool": it is private');
    expect(() => settle({ lost: 'patch' })).toThrow('Cannot release "lost": it is no package here');
  });
});
