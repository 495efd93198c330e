import { existsSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { sitePath } from './pages.ts';
import { project } from './project.ts';

/**
 * A link of a Markdown file as the site has it: to the page that another file is on the site, and to the repository for
 * a file that is no page. What leads elsewhere, or into the same page, stays as it is.
 *
 * @param file The path of the Markdown file in the repository.
 */
export function siteLink(file: string, href: string): string {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/|#|$)/i.test(href)) return href;
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/.exec(href) ?? [];
  const target = posix.normalize(posix.join(posix.dirname(file), decodeURI(path)));
  const readme = posix.join(target, 'README.md');
  const page = sitePath(target) ?? (existsSync(readme) ? sitePath(readme) : undefined);
  if (page !== undefined) return encodeURI(`/${page}`) + rest;
  const isFolder = existsSync(target) && statSync(target).isDirectory();
  const kind = isFolder ? 'tree' : 'blob';
  return encodeURI(`${project.repository}/${kind}/${project.branch}/${target}`) + rest;
}
