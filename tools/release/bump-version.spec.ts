import { bumpVersion } from './bump-version.ts';

describe('bumpVersion', () => {
  it.each([
    ['1.2.3', 'patch', '1.2.4'],
    ['1.2.3', 'minor', '1.3.0'],
    ['1.2.3', 'major', '2.0.0'],
    ['0.1.2', 'patch', '0.1.3'],
    ['0.1.2', 'minor', '0.1.3'],
    ['0.1.2', 'major', '0.2.0'],
  ] as const)('takes %s by a %s to %s', (version, bump, next) => {
    expect(bumpVersion(version, bump)).toBe(next);
  });

  it.each(['1.2', '1.2.3-rc.0', ''])('refuses "%s"', (version) => {
    expect(() => bumpVersion(version, 'patch')).toThrow(`Cannot read the version "${version}"`);
  });
});
