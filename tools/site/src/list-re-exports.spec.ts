import { listReExports } from './list-re-exports.ts';

const section = (name: string): string =>
  `<a id="${name}"></a>\n\n### ${name}\n\nRe-exports [${name}](core.md#${name})\n`;

describe('listReExports', () => {
  it('makes a list of sections that say nothing else', () => {
    const markdown = `## References\n\n${section('a')}\n***\n\n${section('b')}`;
    expect(listReExports(markdown)).toBe('## References\n\n- [a](core.md#a)\n- [b](core.md#b)\n');
  });

  it('leaves other sections as they are', () => {
    const markdown = '### a\n\nWhat a is.\n\n***\n';
    expect(listReExports(markdown)).toBe(markdown);
  });
});
