import { siteHtml } from './site-html.ts';

describe('siteHtml', () => {
  it('shows a picture by the switch of the site, not by the system', () => {
    const html = siteHtml(
      'docs/benchmarks.md',
      `<picture>
        <source media="(prefers-color-scheme: dark)" srcset="benchmarks/a-dark.svg">
        <img src="benchmarks/a-light.svg" alt="Bars" width="480">
      </picture>`,
    );
    expect(html).toBe(
      '<span class="picture">' +
        '<img class="in-light" loading="lazy" src="./benchmarks/a-light.svg" alt="Bars" width="480">' +
        '<img class="in-dark" loading="lazy" src="./benchmarks/a-dark.svg" alt="Bars" width="480">' +
        '</span>',
    );
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
