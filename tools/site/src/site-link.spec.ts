import { siteLink } from './site-link.ts';

const repository = 'https://github.com/agentfront/guard';

describe('siteLink', () => {
  it.each([
    ['a page beside it', 'docs/adr/001-toolchain.md', '002-layers.md', '/adr/002-layers.md'],
    ['a heading of one', 'docs/performance.md', 'errors.md#a_b', '/errors.md#a_b'],
    ['a README', 'docs/a.md', '../packages/core/README.md#x', '/packages/core.md#x'],
    ['the folder of one', 'docs/adr/a.md', '../../packages/plugins/mcp/', '/packages/mcp.md'],
    ['a root document', 'docs/a.md', '../CONTRIBUTING.md', '/contributing/index.md'],
  ])('leads to the page for %s', (_, file, href, link) => {
    expect(siteLink(file, href)).toBe(link);
  });

  it('leads to the repository for what is no page', () => {
    const file = 'packages/core/README.md';
    expect(siteLink(file, '../../LICENSE')).toBe(`${repository}/blob/main/LICENSE`);
    expect(siteLink(file, '../../README.md#use')).toBe(`${repository}/blob/main/README.md#use`);
    expect(siteLink(file, '../../docs/adr')).toBe(`${repository}/tree/main/docs/adr`);
  });

  it.each(['https://example.com/a.md', 'mailto:a@example.com', '#here', '//example.com'])(
    'leaves %s alone',
    (href) => {
      expect(siteLink('docs/a.md', href)).toBe(href);
    },
  );
});
