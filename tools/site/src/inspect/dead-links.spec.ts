import { deadLinks } from './dead-links.ts';

const site = 'http://127.0.0.1:1/guard/';
const page = (path: string, links: string[], ids: string[] = []) => ({
  url: site + path,
  links,
  ids,
  title: path,
  headings: 1,
  problems: [],
});

describe('deadLinks', () => {
  it('passes what leads somewhere', () => {
    const reports = [
      page('', [`${site}errors#rate_limit`, `${site}#top`, 'https://example.com/x'], ['top']),
      page(
        'errors',
        [
          site,
          'https://agentfront.github.io/guard/errors#rate_limit',
          'https://github.com/agentfront/guard/blob/main/LICENSE',
        ],
        ['rate_limit'],
      ),
    ];
    expect(deadLinks(site, reports)).toEqual([]);
  });

  it.each([
    `${site}none`,
    `${site}errors#none`,
    `http://127.0.0.1:1/elsewhere`,
    'https://agentfront.github.io/guard/none',
    'https://agentfront.github.io/guard/errors#none',
    'https://github.com/agentfront/guard/tree/main/none',
  ])('finds %s', (link) => {
    expect(deadLinks(site, [page('a', [link]), page('errors', [])])).toEqual([
      `${site}a: leads nowhere: ${link}`,
    ]);
  });
});
