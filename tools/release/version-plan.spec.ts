import { bigger, readVersionPlan, writeVersionPlan } from './version-plan.ts';

describe('readVersionPlan', () => {
  it('reads what writeVersionPlan writes', () => {
    const changes = new Map([
      ['@scope/one', 'patch'],
      ['two', 'major'],
    ] as const);
    expect(readVersionPlan('a.md', writeVersionPlan(changes, 'Count right.'))).toEqual(changes);
  });

  it('knows the other words that Nx knows', () => {
    const text = '---\na: fix\n"b": feat\nc: "feat!"\n\nd: fix!\n---\nText: no line of it\n';
    expect([...readVersionPlan('a.md', text).values()]).toEqual([
      'patch',
      'minor',
      'major',
      'major',
    ]);
  });

  it.each([
    ['no head', 'a: patch\n', 'Cannot read a.md'],
    ['a size that is none', '---\na: huge\n---\n', 'Cannot read "a: huge" in a.md'],
    ['a pre-release', '---\na: prepatch\n---\n', 'Cannot read "a: prepatch" in a.md'],
    ['a line that is none', '---\n- a\n---\n', 'Cannot read "- a" in a.md'],
  ])('refuses %s', (_, text, message) => {
    expect(() => readVersionPlan('a.md', text)).toThrow(message);
  });
});

describe('bigger', () => {
  it('takes the bigger change', () => {
    expect(bigger('patch', 'major')).toBe('major');
    expect(bigger('major', 'minor')).toBe('major');
    expect(bigger('minor', undefined)).toBe('minor');
  });
});
