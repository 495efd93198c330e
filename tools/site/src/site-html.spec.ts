import { siteHtml } from './site-html.ts';

describe('siteHtml', () => {
  it('shows a picture by the switch of the site, not by the system', () => {
    const html = siteHtml(
      'docs/guides/a.md',
      `<picture>
        <source media="(prefers-color-scheme: dark)" srcset="../pictures/queue-dark.svg">
        <img src="../pictures/queue-light.svg" alt="Bars" width="400">
      </picture>`,
    );
    const image = (name: string) =>
      `<img class="in-${name}" loading="lazy" width="480" height="476" alt="Bars" src="../pictures/queue-${name}.svg">`;
    expect(html).toBe(`<span class="picture">${image('light')}${image('dark')}</span>`);
  });

  it('lets a wide picture be moved by the keyboard', () => {
    const html = siteHtml(
      'docs/benchmarks.md',
      '<picture><source srcset="benchmarks/memory-dark.svg"><img src="benchmarks/memory-light.svg"></picture>',
    );
    expect(html).toMatch(/^<span class="picture wide" tabindex="0">/);
    expect(html).toContain('src="./benchmarks/memory-dark.svg"');
  });

  it('refuses a picture that has no dark one', () => {
    expect(() => siteHtml('docs/a.md', '<picture><img src="a.svg"></picture>')).toThrow(
      'Cannot show a picture without a dark source',
    );
  });

  it('makes links of the site', () => {
    expect(siteHtml('docs/a.md', '<a class="b" href="errors.md">')).toBe(
      '<a class="b" href="/guard/errors">',
    );
  });

  it('leaves paths alone that lead somewhere already', () => {
    const html = '<img src="../a.svg"><img src="data:x"><img src="/a.svg">';
    expect(siteHtml('docs/a.md', html)).toBe(html);
  });
});
