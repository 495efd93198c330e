import type { Goal } from '../findings.ts';
import { figureText, markdownTable } from './tables.ts';

/** The goals of one part, with where the page shows their figures. */
export interface PartGoals {
  readonly title: string;
  readonly goals: readonly Goal[];
}

/** The table at the head of the page: every goal, the figure that decides, whether it is met, and where to read on. */
export function renderGoals(parts: readonly PartGoals[]): string {
  const lines = parts.flatMap(({ title, goals }) =>
    goals.map((goal, at) => [
      at === 0 ? `[${title}](#${anchorOf(title)})` : '',
      goal.text,
      worstText(goal),
      goal.met ? '✅' : '❌',
    ]),
  );
  return markdownTable(['', 'goal', 'figure', 'met'], lines);
}

/** All figures of the goals of a part, and why a missed one is missed. */
export function renderGoalList(
  goals: readonly Goal[],
  reasons: Readonly<Record<string, string>>,
): string {
  return goals
    .map((goal) => {
      const figures = Object.entries(goal.figures).map(
        ([name, figure]) => `${name} ${withUnit(figure, goal)}`,
      );
      const line = `- ${goal.met ? '✅' : '❌'} ${goal.text}: ${figures.join('; ')}.`;
      return goal.met ? line : `${line} ${reasonFor(goal, reasons)}`;
    })
    .join('\n');
}

/** Where GitHub puts a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
}

function reasonFor({ id }: Goal, reasons: Readonly<Record<string, string>>): string {
  const reason = reasons[id];
  if (reason === undefined)
    throw new Error(`The goal "${id}" is missed, and the page does not say why`);
  return reason;
}

/** The figure nearest to missing the goal, or furthest beyond it. */
function worstText(goal: Goal): string {
  const figures = Object.values(goal.figures);
  const worst = 'atMost' in goal.bound ? Math.max(...figures) : Math.min(...figures);
  return `${withUnit(worst, goal)}${figures.length > 1 ? ` (worst of ${figures.length})` : ''}`;
}

function withUnit(figure: number, { unit }: Goal): string {
  return `${figureText(figure)} ${unit}`;
}
