import type { GroupResult, Row } from '../findings.ts';
import type { Panel } from './chart.ts';

/** What a panel shows of a group. */
interface View {
  readonly title?: string;
  /** The figure of a row; rows without one are left out. The ratio unless said otherwise. */
  readonly value?: (row: Row) => number | undefined;
  /** What a row is called; its short name unless said otherwise. */
  readonly name?: (row: Row) => string;
  readonly goal?: number;
  readonly cap?: number;
}

/**
 * A panel with a bar for each row of the group, in the order of the rows.
 *
 * @throws {Error} When two rows are called the same: a chart would show one of them.
 */
export function panelOf(group: GroupResult, view: View = {}): Panel {
  const { title = shortTitle(group.title), value = ({ ratio }: Row) => ratio, ...more } = view;
  const { name = (row: Row) => shortName(row.name), ...rest } = more;
  const bars = group.rows.flatMap((row) => {
    const figure = value(row);
    return figure === undefined ? [] : [{ name: name(row), ours: row.ours, value: figure }];
  });
  const names = bars.map((bar) => bar.name);
  const twice = names.find((candidate, at) => names.indexOf(candidate) < at);
  if (twice !== undefined) throw new Error(`${group.title}: two bars are called "${twice}"`);
  return { title, bars, ...rest };
}

/** The name of a contender without the scope, and without what stands behind a comma or in brackets. */
export function shortName(name: string): string {
  return name.replace(/^@frontmcp\//, '').replace(/(,| \().*$/, '');
}

/** A panel whose bars are in order, the shortest first. */
export function sorted(panel: Panel): Panel {
  return { ...panel, bars: [...panel.bars].sort((left, right) => left.value - right.value) };
}

/** A title with its large numbers in short: `100k keys`. */
export function shortTitle(title: string): string {
  return title.replace(/\d+(,\d{3})+/g, (digits) => {
    const value = Number(digits.replaceAll(',', ''));
    return value >= 1_000_000 ? `${value / 1_000_000}M` : `${value / 1_000}k`;
  });
}
