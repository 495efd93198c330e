import { globSync } from 'node:fs';

/** The addresses of the pages of a built site, as links have them. */
export function listAddresses(folder: string, site: string): string[] {
  return globSync('**/*.html', { cwd: folder })
    .filter((file) => file !== '404.html')
    .sort()
    .map((file) => site + encodeURI(file.replace(/(?:(?<=^|\/)index)?\.html$/, '')));
}
