import { linkProblems } from './find-links.ts';

const problems = (...lines: string[]) => linkProblems('docs/adr/x.md', lines.join('\n'));

describe('linkProblems', () => {
  it('passes what is there, and what is not ours', () => {
    const ours = '[a](002-layers.md), [b](../architecture.md "Title"), [c](../../packages/core)';
    expect(problems(ours, '[d](https://example.com/no.md) [e](mailto:a@example.com)')).toEqual([]);
    expect(problems('[a][1] [b](../../CONTRIBUTING.md#a-new-package)', '[1]: ../adr')).toEqual([]);
    expect(problems('# The `end`, at last', '[a](#the-end-at-last)')).toEqual([]);
  });

  it.each([
    ['a file', '[a](no.md)', 'no.md leads to no file'],
    ['one behind a good link', '[a](002-layers.md) ![b](no.png)', 'no.png leads to no file'],
    ['a definition', '[1]: no.md', 'no.md leads to no file'],
    ['HTML', '<img src="no.svg">', 'no.svg leads to no file'],
    ['a heading', '[a](../../CONTRIBUTING.md#no)', '#no leads to no heading'],
    ['a heading of its own', '[a](#no)', '#no leads to no heading'],
  ])('refuses a dead link: %s', (_, line, problem) => {
    expect(problems('', line)).toEqual([expect.stringMatching(/^docs\/adr\/x\.md:2: The link /)]);
    expect(problems('', line)[0]).toContain(problem);
  });

  it('takes no example in code for a link', () => {
    expect(problems('```md', '[a](no.md)', '```', 'Write `[a](no.md)`.')).toEqual([]);
  });
});
