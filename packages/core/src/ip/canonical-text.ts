import { formatIp } from './format-ip.js';

/**
 * The canonical text of an address that `parseIp` has read from `text` into `words`. That is `text` itself for a dotted quad, which is
 * read in one form only: an application then goes on with the string that its server keeps for the connection.
 */
export function canonicalText(family: 4 | 6, text: string, words: ArrayLike<number>): string {
  return family === 4 && !text.includes(':') ? text : formatIp(family, words);
}
