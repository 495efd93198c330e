import { listPages, sitePath } from './pages.ts';

describe('sitePath', () => {
  it.each([
    ['docs/index.md', 'index.md'],
    ['docs/adr/002-layers.md', 'adr/002-layers.md'],
    ['packages/core/README.md', 'packages/core.md'],
    ['packages/plugins/mcp/README.md', 'packages/mcp.md'],
    ['CONTRIBUTING.md', 'contributing/index.md'],
    ['tools/site/api/guard-core.md', 'api/guard-core.md'],
  ])('puts %s at %s', (file, path) => {
    expect(sitePath(file)).toBe(path);
  });

  it.each(['README.md', 'packages/core/CHANGELOG.md', 'packages/core/src/a.md', 'docs/a.svg'])(
    'does not take %s for a page',
    (file) => {
      expect(sitePath(file)).toBeUndefined();
    },
  );

  it('gives no two files the same place', () => {
    const paths = listPages().map(sitePath);
    expect(paths).toContain('architecture.md');
    expect(new Set(paths).size).toBe(paths.length);
  });
});
