/** A line for each name that is exported again, in place of a heading, a sentence and a rule. */
export function listReExports(markdown: string): string {
  return markdown.replace(
    /(?:<a id="[^"]+"><\/a>\n\n)?### .+\n\nRe-exports (\[.+\]\(.+\))\n(?:\n\*\*\*\n\n?)?/g,
    '- $1\n',
  );
}
