/** One release in a changelog. */
export interface ChangelogEntry {
  readonly version: string;
  /** The text below the heading. */
  readonly notes: string;
}

/** The releases in a changelog, the latest first, as they stand there. */
export function readChangelog(text: string): ChangelogEntry[] {
  const [, ...parts] = `\n${text}`.split(/\n##? (?=\d)/);
  return parts.map((part) => {
    const [heading = '', ...lines] = part.split('\n');
    return { version: heading.replace(/ .*$/, ''), notes: lines.join('\n').trim() };
  });
}
