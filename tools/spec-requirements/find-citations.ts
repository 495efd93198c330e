import { readFileSync } from 'node:fs';
import type { Citation } from './check-requirements.ts';

const cited = /\[([A-Z]+-\d{2,})\]/g;

/**
 * Finds `[RL-01]` in the titles of tests. A comment does not count, since it proves nothing. Tables
 * may hold titles too, so every line of code is searched.
 */
export function findCitations(files: readonly string[]): Citation[] {
  return files.flatMap((file) => citationsIn(file, readFileSync(file, 'utf8')));
}

export function citationsIn(file: string, text: string): Citation[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '));
  return code.split('\n').flatMap((line, index) =>
    line.trimStart().startsWith('//')
      ? []
      : Array.from(line.matchAll(cited), (match) => ({
          id: match[1] ?? '',
          place: `${file}:${index + 1}`,
        })),
  );
}
