/**
 * Finds the code in Markdown that a reader may copy. The only ways to mark it are `ts`, which is
 * type-checked, `ts run`, which is executed too, and `ts serve`, whose server is asked as well, for the path
 * that follows: `ts serve /hello`. The store that it needs comes before the path: `ts run redis`,
 * `ts serve upstash /hello`. A fence of another JavaScript kind is a problem, since nothing would hold it to the truth.
 */
export interface Snippet {
  /** Path of the Markdown file. */
  readonly file: string;
  /** Line of the first line of code, from 1. */
  readonly line: number;
  readonly code: string;
  /** What is done with it once it compiles. */
  readonly then: 'nothing' | 'run' | 'serve';
  /** What must be there for it to run; without one, nothing but this process. */
  readonly store?: Store;
  /** What its server is asked for and must give; without one, any answer will do that is no failure of the server. */
  readonly path?: string;
}

export type Store = 'redis' | 'upstash';

export interface Found {
  readonly snippets: readonly Snippet[];
  readonly problems: readonly string[];
}

const kind = /^ts(?: (run|serve)(?: (redis|upstash))?)?(?:(?<=serve.*) (\/\S*))?$/;
const forms = '"ts", "ts run [redis|upstash]" or "ts serve [redis|upstash] [/path]"';
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
    const marks = kind.exec(info);
    if (marks !== null) {
      const [, then = 'nothing', store, path] = marks;
      snippets.push({
        file,
        line,
        code: code.join('\n'),
        then: then as Snippet['then'],
        ...(store !== undefined && { store: store as Store }),
        ...(path !== undefined && { path }),
      });
    } else if (script.test(info)) {
      problems.push(`${file}:${line - 1}: Use ${forms} in place of "${info}"`);
    }
  }
  return { snippets, problems };
}
