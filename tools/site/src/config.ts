import { slug } from 'github-slugger';
import { resolve } from 'node:path';
import type { DefaultTheme, UserConfig } from 'vitepress';
import { useSiteLinks } from './markdown.ts';
import { apiFolder, listMarkdown, listPages, sitePath } from './pages.ts';
import { project } from './project.ts';
import { makeSidebar } from './sidebar.ts';

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="%230969da" d="M16 2 4 7v9c0 7 5 12 12 14 7-2 12-7 12-14V7z"/></svg>';

/** The site: pages are the files of the repository as they are, where {@link sitePath} says. Nothing is asked of another host. */
export function siteConfig(): UserConfig<DefaultTheme.Config> {
  const pages = listPages();
  return {
    title: project.title,
    titleTemplate: `:title · ${project.title}`,
    description: project.description,
    lang: 'en',
    base: project.base,
    head: [['link', { rel: 'icon', href: `data:image/svg+xml,${icon}` }]],
    srcDir: resolve('.'),
    srcExclude: listMarkdown().filter((file) => sitePath(file) === undefined),
    rewrites: Object.fromEntries(pages.map((file) => [file, sitePath(file) ?? file])),
    outDir: resolve(process.env['SITE_OUT'] ?? '.tmp/site'),
    cacheDir: resolve('.tmp/site-cache'),
    cleanUrls: true,
    metaChunk: true,
    // The index of the search, which is loaded with the first search.
    vite: { build: { chunkSizeWarningLimit: 2_000 } },
    markdown: {
      config: useSiteLinks,
      anchor: { slugify: slug },
      attrs: { disable: true },
      theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    },
    transformPageData: ({ filePath }) =>
      filePath.startsWith(apiFolder)
        ? { frontmatter: { editLink: false, pageClass: 'reference' } }
        : undefined,
    themeConfig: {
      nav: [
        { text: 'Start', link: '/start/mcp', activeMatch: '^/start/' },
        { text: 'Reference', link: '/api/', activeMatch: '^/api/' },
        { text: 'Benchmarks', link: '/benchmarks' },
      ],
      sidebar: makeSidebar(pages),
      outline: [2, 3],
      search: { provider: 'local' },
      socialLinks: [{ icon: 'github', link: project.repository, ariaLabel: 'Repository' }],
      editLink: {
        pattern: `${project.repository}/edit/${project.branch}/:path`,
        text: 'Edit this page',
      },
      footer: { message: 'Released under the Apache License 2.0.' },
      notFound: {
        title: 'Page not found',
        quote: 'There is no page at this address. It may have moved: try the search.',
        linkText: 'To the start page',
      },
    },
  };
}
