import type { Machine } from '../machine.ts';
import type { PartResult } from '../result-files.ts';
import { renderGoalList, renderGoals } from './goals-table.ts';
import { intro } from './intro.ts';
import type { PartPage } from './part-page.ts';
import { markdownTable, renderTables } from './tables.ts';

/** A part with its figures and its prose. */
export interface MeasuredPart {
  readonly result: PartResult;
  readonly page: PartPage;
}

/**
 * The Markdown of `docs/benchmarks.md`.
 *
 * @throws {Error} When a goal is missed and its page gives no reason, or a contender's page does not say what it leaves out.
 */
export function renderPage(parts: readonly MeasuredPart[]): string {
  const goals = parts.map(({ result, page }) => ({ title: page.title, goals: result.goals }));
  return [intro.head, renderGoals(goals), intro.reading, ...parts.map(renderPart)].join('\n\n');
}

function renderPart({ result, page }: MeasuredPart): string {
  return [
    `## ${page.title}`,
    page.lead,
    picture(result.part, page.chart(result).alt),
    ...renderTables(result, page.tables),
    renderGoalList(result.goals, page.reasons),
    peerTable({ result, page }),
    page.close,
    machineLine(result.machine),
  ]
    .filter((block) => block !== undefined && block !== '')
    .join('\n\n');
}

function picture(part: string, alt: string): string {
  return [
    '<picture>',
    `  <source media="(prefers-color-scheme: dark)" srcset="benchmarks/${part}-dark.svg">`,
    `  <img alt="${alt}" src="benchmarks/${part}-light.svg">`,
    '</picture>',
  ].join('\n');
}

function peerTable({ result, page }: MeasuredPart): string | undefined {
  const names = new Set(
    result.groups.flatMap(({ rows }) => rows.filter(({ ours }) => !ours).map(({ name }) => name)),
  );
  const lines = [...names].map((name) => [name, sentenceFor(name, page)]);
  return lines.length === 0 ? undefined : markdownTable(['what it does not do', ''], lines);
}

function sentenceFor(name: string, { title, peers }: PartPage): string {
  const sentence = peers[name];
  if (sentence === undefined) throw new Error(`"${title}" does not say what "${name}" leaves out`);
  return sentence;
}

function machineLine({ cpu, cores, node, date, pinned }: Machine): string {
  const cored = pinned ? 'the client on one core, servers on another' : 'not pinned to cores';
  return `<sub>${date}, Node ${node}, ${String(cores)} × ${cpu}, ${cored}.</sub>`;
}
