import type { GroupResult, Row } from '../findings.ts';
import type { Panel } from './chart.ts';

/** What a panel shows of a group. */
interface View {
  readonly title?: string;
  /** The figure of a row; rows without one are left out. The ratio unless said otherwise. */
  readonly value?: (row: Row) => number | undefined;
  readonly goal?: number;
  readonly cap?: number;
}

/** A panel with a bar for each row of the group, in the order of the rows. */
export function panelOf(group: GroupResult, view: View = {}): Panel {
  const { title = group.title, value = ({ ratio }: Row) => ratio, ...rest } = view;
  const bars = group.rows.flatMap((row) => {
    const figure = value(row);
    return figure === undefined
      ? []
      : [{ name: shortName(row.name), ours: row.ours, value: figure }];
  });
  return { title, bars, ...rest };
}

/** The name of a contender without the scope, and without what stands behind a comma or in brackets. */
export function shortName(name: string): string {
  return name.replace(/^@frontmcp\//, '').replace(/(,| \().*$/, '');
}
