import { existsSync, globSync, mkdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

import { Extractor, type ExtractorMessage } from '@microsoft/api-extractor';

import type { OpenEntries } from './open-entries.ts';

/**
 * Writes a report for each entry and holds it against the one that is kept, or keeps it if `write` is
 * true, and deletes those of entries that are no more.
 *
 * @returns What is wrong: a report that differs, is missing or is of no entry; a comment that cannot be read.
 */
export function checkReports(
  { configs, state }: OpenEntries,
  folder: string,
  write: boolean,
): string[] {
  mkdirSync(folder, { recursive: true });
  const problems = configs.flatMap(([entry, config]) => {
    const messages: string[] = [];
    const { apiReportChanged } = Extractor.invoke(config, {
      compilerState: state,
      localBuild: write,
      printApiReportDiff: !write,
      messageCallback: (message) => {
        const text = textOf(message);
        if (text !== undefined) messages.push(`${entry.name}: ${text}`);
        message.handled = true;
      },
    });
    const isMissing = !existsSync(join(folder, `${entry.report}.api.md`));
    if (!write && isMissing) return [`${entry.name}: it has no report`, ...messages];
    if (!write && apiReportChanged) return [`${entry.name}: it is not as reported`, ...messages];
    return messages;
  });
  const strangers = strayReports(
    folder,
    configs.map(([{ report }]) => report),
  );
  if (!write) return [...problems, ...strangers.map((file) => `${file} is of no entry`)];
  for (const file of strangers) rmSync(join(folder, file));
  return problems;
}

function strayReports(folder: string, known: readonly string[]): string[] {
  return globSync('*.api.md', { cwd: folder }).filter(
    (file) => !known.includes(file.slice(0, -'.api.md'.length)),
  );
}

/** What a message says to somebody who has to do something; undefined for the rest. */
function textOf(message: ExtractorMessage): string | undefined {
  if (message.messageId === 'console-api-report-diff') return `\n${message.text}`;
  if ((message.logLevel as string) !== 'error') return undefined;
  const { sourceFilePath, sourceFileLine } = message;
  const place =
    sourceFilePath === undefined
      ? ''
      : ` (${relative(process.cwd(), sourceFilePath)}:${String(sourceFileLine)})`;
  return `${message.text}${place}`;
}
