import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const link =
  /\]\(\s*<?(?<inline>[^)\s>]+)|^\s*\[[^\]]+\]:\s*<?(?<below>[^\s>]+)|\b(?:href|src)="(?<html>[^"]+)"/g;

/** Finds the links inside the repository that lead to no file, or to no heading of a document. */
export function linkProblems(file: string, markdown: string): string[] {
  return withoutCode(markdown).flatMap((line, index) =>
    [...line.matchAll(link)].flatMap(({ groups = {} }) => {
      const target = groups['inline'] ?? groups['below'] ?? groups['html'] ?? '';
      if (/^[a-z][a-z\d+.-]*:/i.test(target)) return [];
      const [path = '', heading] = decodeURIComponent(target).split('#');
      const at = `${file}:${index + 1}: The link ${target} leads to no`;
      if (path !== '' && !existsSync(join(dirname(file), path))) return [`${at} file`];
      if (heading === undefined) return [];
      const text = path === '' ? markdown : readFileSync(join(dirname(file), path), 'utf8');
      return headings(text).includes(heading) ? [] : [`${at} heading`];
    }),
  );
}

/** The lines of a document, with code blanked: an example of a link is no link. */
function withoutCode(markdown: string): string[] {
  let open = '';
  return markdown.split('\n').map((line) => {
    const fence = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (open !== '') {
      if (line.trim() === open) open = '';
      return '';
    }
    open = fence;
    return open === '' ? line.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '') : '';
  });
}

/** The names by which a document's headings are linked to. */
function headings(markdown: string): string[] {
  return Array.from(markdown.matchAll(/^#{1,6}\s+(.+?)\s*$/gm), ([, title = '']) =>
    title
      .replace(/\]\([^)]*\)/g, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
