import { existsSync } from 'node:fs';
import { project } from '../project.ts';
import type { PageReport } from './inspector.ts';

const inRepository = new RegExp(
  `^${project.repository}/(?:blob|tree|edit)/${project.branch}/(?<path>[^?#]+)`,
);

/**
 * The links between the pages that lead to no page or to no id on it, by the address that the site will have, too, and those
 * into the repository that lead to no file.
 *
 * @param site The address of the site, with a slash at its end.
 */
export function deadLinks(site: string, reports: readonly PageReport[]): string[] {
  const ids = new Map(reports.map((report) => [report.url, new Set(report.ids)]));
  return reports.flatMap(({ url, links }) =>
    [...new Set(links)]
      .filter((link) => isDead(link, site, ids))
      .map((link) => `${url}: leads nowhere: ${link}`),
  );
}

function isDead(
  link: string,
  site: string,
  ids: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const path = inRepository.exec(link)?.groups?.['path'];
  if (path !== undefined) return !existsSync(decodeURI(path));
  const here = link.startsWith(project.homepage)
    ? site + link.slice(project.homepage.length)
    : link;
  if (new URL(here).origin !== new URL(site).origin) return false;
  const [page = '', id = ''] = here.split('#');
  const onPage = ids.get(page);
  return onPage === undefined || (id !== '' && !onPage.has(decodeURIComponent(id)));
}
