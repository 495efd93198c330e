import type { GroupResult, Row } from '../findings.ts';
import type { PartResult } from '../result-files.ts';
import type { TableView } from './part-page.ts';

/**
 * The Markdown of all tables of a part, each with its caption in front. A view of groups that have not been measured yet is left out.
 *
 * @throws {Error} When a group is in no table: nothing that was measured is kept back. When two tables are the same.
 */
export function renderTables({ groups }: PartResult, views: readonly TableView[]): string[] {
  const hidden = groups.find(({ id }) => !views.some((view) => view.groups.test(id)));
  if (hidden !== undefined) throw new Error(`No table shows the group "${hidden.id}"`);
  const captions = new Map<string, string>();
  return views.flatMap(({ caption, groups: ids, cells }) => {
    const shown = groups.filter(({ id }) => ids.test(id));
    const [first, ...others] = shown;
    if (first === undefined) return [];
    const table = others.length === 0 ? figureTable(first) : groupTable(shown, cells);
    const before = captions.get(table);
    if (before !== undefined) throw new Error(`"${caption}" shows what "${before}" has shown`);
    captions.set(table, caption);
    return [`${caption}\n\n${table}`];
  });
}

/** Markdown of a table, the first line its headings. */
export function markdownTable(headings: readonly string[], lines: readonly string[][]): string {
  const rule = headings.map(() => '---');
  return [headings, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A number as the page writes it: thousands apart, at most three digits that count below. */
export function figureText(value: number | string | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'number'
    ? value.toLocaleString('en', { maximumFractionDigits: 3 })
    : value;
}

function figureTable({ unit, ratio, rows }: GroupResult): string {
  const extras = [...new Set(rows.flatMap(({ extra = {} }) => Object.keys(extra)))];
  const withRatio = ratio !== undefined;
  const headings = ['', `median, ${unit}`, 'p10–p90', ...(withRatio ? [ratio] : []), ...extras];
  const lines = rows.map((row) => [
    nameText(row),
    figureText(row.median),
    spreadText(row),
    ...(withRatio ? [figureText(row.ratio)] : []),
    ...extras.map((heading) => figureText(row.extra?.[heading])),
  ]);
  return markdownTable(headings, lines);
}

function groupTable(
  groups: readonly GroupResult[],
  cells: readonly string[] = ['ratio', 'median'],
): string {
  const names = [...new Set(groups.flatMap(({ rows }) => rows.map(({ name }) => name)))];
  const lines = names.map((name) => {
    const rows = groups.map((group) => group.rows.find((row) => row.name === name));
    const known = rows.find((row) => row !== undefined) as Row;
    return [nameText(known), ...groups.map((group, at) => cellText(group, rows[at], cells))];
  });
  return markdownTable(['', ...groups.map(({ title }) => title)], lines);
}

function cellText(
  { unit, ratio }: GroupResult,
  row: Row | undefined,
  cells: readonly string[],
): string {
  if (row === undefined) return '–';
  const parts = cells.map((cell) => {
    if (cell === 'median') return `${figureText(row.median)} ${unit} (${spreadText(row)})`;
    if (cell !== 'ratio') return extraText(row.extra?.[cell], cells.length > 1 ? cell : '');
    return row.ratio === undefined
      ? ''
      : `${emphasis(figureText(row.ratio), row)}${ratio?.startsWith('×') ? ' ×' : ''}`;
  });
  return parts.filter((part) => part !== '').join('<br>');
}

/** Beside other figures, a number is told apart by its heading. */
function extraText(value: number | string | undefined, heading: string): string {
  const text = figureText(value);
  return typeof value === 'number' && heading !== '' ? `${text} <sub>${heading}</sub>` : text;
}

function spreadText({ low, high }: Row): string {
  return low === high ? figureText(low) : `${figureText(low)}–${figureText(high)}`;
}

function nameText(row: Row): string {
  return emphasis(row.name, row);
}

function emphasis(text: string, { ours }: Row): string {
  return ours ? `**${text}**` : text;
}
