import { readFileSync } from 'node:fs';
import type { DefaultTheme } from 'vitepress';
import { sitePath } from './pages.ts';
import { sections, type Section } from './sections.ts';

/** The sidebar over these files; sections without a page are left out. */
export function makeSidebar(files: readonly string[]): DefaultTheme.SidebarItem[] {
  return sections.flatMap((section) => itemOf(section, files));
}

/** The files that no section holds; the home page needs none. */
export function strayPages(files: readonly string[]): string[] {
  const all = sections.flatMap((section) => [section, ...(section.sections ?? [])]);
  return files.filter(
    (file) => file !== 'docs/index.md' && !all.some(({ holds }) => holds.test(file)),
  );
}

/** The text of the first heading of a document. */
export function titleOf(markdown: string): string {
  const title = /^# +(.+?) *$/m.exec(markdown)?.[1];
  if (title === undefined) throw new Error('Cannot name a page without a heading "# …"');
  return title.replace(/[`*]/g, '').replace(/\\(?=[^\w\s])/g, '');
}

function itemOf(section: Section, files: readonly string[]): DefaultTheme.SidebarItem[] {
  const { text, holds, order = [], collapsed, sections: inner = [] } = section;
  const rank = (file: string): number => {
    const at = order.findIndex((end) => `/${file}`.endsWith(`/${end}`));
    return at < 0 ? order.length : at;
  };
  const pages = files
    .filter((file) => holds.test(file))
    .sort((left, right) => rank(left) - rank(right) || left.localeCompare(right, 'en'));
  const items = [
    ...pages.map((file) => ({ text: nameOf(file), link: linkOf(file) })),
    ...inner.flatMap((one) => itemOf(one, files)),
  ];
  if (items.length === 0) return [];
  // What folds has a link, too: a button with a button in it is none that a screen reader can tell.
  const folds = collapsed !== undefined && { collapsed, link: items[0]?.link ?? '/' };
  return [{ text, items, ...folds }];
}

function nameOf(file: string): string {
  return titleOf(readFileSync(file, 'utf8')).replace('@frontmcp/', '');
}

function linkOf(file: string): string {
  return `/${(sitePath(file) ?? '').replace(/(?:^|(?<=\/)index|)\.md$/, '')}`;
}
