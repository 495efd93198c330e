import type { Goal, GroupResult } from './findings.ts';

/** Prints a group as a table and returns it. */
export function printGroup(group: GroupResult): GroupResult {
  console.log(`\n${group.title}`);
  console.table(
    Object.fromEntries(
      group.rows.map(({ name, median, low, high, ratio, extra }) => [
        name,
        {
          [group.unit]: median,
          'p10–p90': `${String(low)}–${String(high)}`,
          ...(group.ratio !== undefined && ratio !== undefined && { [group.ratio]: ratio }),
          ...extra,
        },
      ]),
    ),
  );
  return group;
}

/** Prints the goals of a part, with what misses them. */
export function printGoals(goals: readonly Goal[]): void {
  for (const { text, figures, unit, met } of goals) {
    const list = Object.entries(figures).map(([name, figure]) => `${name} ${String(figure)}`);
    console.log(`${met ? 'met   ' : 'MISSED'} ${text}: ${list.join(', ')} (${unit})`);
  }
}
