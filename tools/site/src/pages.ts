import { globSync } from 'node:fs';

/** Where the reference is written to, before the site is built. */
export const apiFolder = 'tools/site/api';

const rootPages: Readonly<Record<string, string>> = {
  'CONTRIBUTING.md': 'contributing/index.md',
  'SECURITY.md': 'security.md',
  'VERSIONING.md': 'versioning.md',
};

/** Markdown that the repository has for other readers. */
const others = ['**/node_modules', '**/dist', '**/fixtures', 'docs/examples'];

/** All Markdown of the repository outside of hidden folders, whether it is a page or not. */
export function listMarkdown(): string[] {
  return globSync('**/*.md', { exclude: others });
}

/** The files that are pages of the site. */
export function listPages(): string[] {
  return listMarkdown().filter((file) => sitePath(file) !== undefined);
}

/** Where on the site a file of the repository is: `docs/errors.md` is `errors.md`; undefined when it is no page. */
export function sitePath(file: string): string | undefined {
  const [, plugin] = /^packages\/plugins\/([^/]+)\/README\.md$/.exec(file) ?? [];
  if (plugin !== undefined) return `packages/${plugin}.md`;
  const [, name] = /^packages\/([^/]+)\/README\.md$/.exec(file) ?? [];
  if (name !== undefined) return `packages/${name}.md`;
  if (file.startsWith(`${apiFolder}/`)) return file.replace(apiFolder, 'api');
  if (/^docs\/(?!examples\/).*\.md$/.test(file)) return file.slice('docs/'.length);
  return rootPages[file];
}
