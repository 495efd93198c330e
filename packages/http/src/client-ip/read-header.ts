import type { HeaderGetter, HeaderSource } from './header-source.js';

/**
 * The value of a header, its lines joined by commas in their order; undefined when it is not there.
 *
 * Null when a record has the header under two spellings: then nobody knows which line came first, and the one that a proxy
 * added cannot be told from the one that the client sent.
 *
 * @param name In lower case.
 */
export function readHeader(headers: HeaderSource, name: string): string | null | undefined {
  if (isGetter(headers)) return headers.get(name) ?? undefined;
  let found: string | undefined;
  // Every name is looked at, also after a hit: a client could add the other spelling.
  for (const key of Object.keys(headers)) {
    if (key !== name && (key.length !== name.length || key.toLowerCase() !== name)) continue;
    const text = joinLines(headers[key]);
    if (text === undefined) continue;
    if (found !== undefined) return null;
    found = text;
  }
  return found;
}

function isGetter(headers: HeaderSource): headers is HeaderGetter {
  return typeof headers.get === 'function';
}

function joinLines(value: string | readonly string[] | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.join(',') : undefined;
}
