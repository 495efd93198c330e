/**
 * Finds the code in Markdown that a reader may copy. The only ways to mark it are `ts`, which is
 * type-checked, and `ts run`, which is executed too; a fence of another JavaScript kind is a
 * problem, since nothing would hold it to the truth.
 */
export interface Snippet {
  /** Path of the Markdown file. */
  readonly file: string;
  /** Line of the first line of code, from 1. */
  readonly line: number;
  readonly code: string;
  readonly run: boolean;
}

export interface Found {
  readonly snippets: readonly Snippet[];
  readonly problems: readonly string[];
}

const script = /^(?:[cm]?[jt]sx?|javascript|typescript)\b/i;

export function findSnippets(file: string, markdown: string): Found {
  const snippets: Snippet[] = [];
  const problems: string[] = [];
  const lines = markdown.split('\n');
  for (let index = 0; index < lines.length; index++) {
    const [, indent = '', fence = '', info = ''] =
      /^(\s*)(`{3,}|~{3,})\s*(.*?)\s*$/.exec(lines[index] ?? '') ?? [];
    if (fence === '') continue;
    const line = index + 2;
    const code: string[] = [];
    while (++index < lines.length && lines[index]?.trim() !== fence) {
      code.push((lines[index] ?? '').slice(indent.length));
    }
    if (index === lines.length) problems.push(`${file}:${line - 1}: The fence is never closed`);
    if (info === 'ts' || info === 'ts run') {
      snippets.push({ file, line, code: code.join('\n'), run: info === 'ts run' });
    } else if (script.test(info)) {
      problems.push(`${file}:${line - 1}: Use "ts" or "ts run" in place of "${info}"`);
    }
  }
  return { snippets, problems };
}
