import { listPages } from './pages.ts';
import { makeSidebar, strayPages, titleOf } from './sidebar.ts';

const links = (items: ReturnType<typeof makeSidebar>): (string | undefined)[] =>
  items.flatMap(({ link, items: inner = [] }) => [link, ...links(inner)]);

describe('the sidebar', () => {
  it('names every page', () => {
    expect(strayPages(listPages())).toEqual([]);
  });

  it('leaves out no page without a word', () => {
    const files = ['docs/index.md', 'docs/adr/002-layers.md', 'docs/nowhere.md', 'docs/odd/a.md'];
    expect(strayPages(files)).toEqual(['docs/nowhere.md', 'docs/odd/a.md']);
  });

  it('puts pages into their sections, in the order of the section and then of their names', () => {
    const files = [
      'docs/adr/002-layers.md',
      'docs/performance.md',
      'CONTRIBUTING.md',
      'docs/architecture.md',
      'docs/adr/001-toolchain.md',
      'packages/plugins/mcp/README.md',
    ];
    const sidebar = makeSidebar(files);
    expect(sidebar.map(({ text }) => text)).toEqual(['Packages', 'Project']);
    expect(sidebar[0]!.items).toEqual([{ text: 'guard-mcp', link: '/packages/mcp' }]);
    expect(links(sidebar).filter((link) => link !== undefined)).toEqual([
      '/packages/mcp',
      '/packages/mcp',
      '/architecture',
      '/performance',
      '/contributing/',
      '/adr/001-toolchain',
      '/adr/001-toolchain',
      '/adr/002-layers',
    ]);
  });
});

describe('titleOf', () => {
  it('is the text of the first heading', () => {
    expect(titleOf('---\na: b\n---\n\n# The `end` of \\[it\\]\n\n# No')).toBe('The end of [it]');
  });

  it('refuses a page without one', () => {
    expect(() => titleOf('## Second')).toThrow('Cannot name a page without a heading');
  });
});
