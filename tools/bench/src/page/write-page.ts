import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { draw } from '../chart/draw.ts';
import { themes } from '../chart/theme.ts';
import { formatted, readResult } from '../result-files.ts';
import { pages } from './pages.ts';
import { renderPage } from './render-page.ts';

/** The page and its charts from the figures in the folder of the docs, by the path of the file. Parts never measured are left out. */
async function pageFiles(docs: string): Promise<Map<string, string>> {
  const parts = Object.entries(pages).flatMap(([part, page]) => {
    const result = readResult(docs, part);
    return result === undefined ? [] : [{ result, page }];
  });
  const files = new Map<string, string>();
  for (const { result, page } of parts) {
    for (const [name, theme] of Object.entries(themes)) {
      files.set(
        join(docs, 'benchmarks', `${result.part}-${name}.svg`),
        draw(page.chart(result), theme),
      );
    }
  }
  const file = join(docs, 'benchmarks.md');
  return files.set(file, await formatted(renderPage(parts), file));
}

/** Writes the page and its charts. */
export async function writePage(docs: string): Promise<void> {
  for (const [file, text] of await pageFiles(docs)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** The files that are not what the figures make; empty when all is well. */
export async function staleFiles(docs: string): Promise<string[]> {
  const isStale = ([file, text]: [string, string]): boolean =>
    !existsSync(file) || readFileSync(file, 'utf8') !== text;
  return [...(await pageFiles(docs))].filter(isStale).map(([file]) => file);
}
