/** What a chart shows, apart from how it is drawn. */
export type Chart = BarChart | LineChart;

interface Titled {
  readonly title: string;
  /** Which way is good, and what the goal line is. */
  readonly subtitle: string;
  /** What the chart says, for those who do not see it. */
  readonly alt: string;
}

/** Horizontal bars, a panel for each piece of work, the contenders the same in all. */
export interface BarChart extends Titled {
  readonly kind: 'bars';
  readonly panels: readonly Panel[];
}

export interface Panel {
  readonly title: string;
  readonly bars: readonly Bar[];
  /** Where the goal line is. */
  readonly goal?: number;
  /** Bars that are longer end here, with their figure beside them. */
  readonly cap?: number;
}

export interface Bar {
  readonly name: string;
  readonly ours: boolean;
  readonly value: number;
}

/** Lines over a logarithmic axis of sizes. */
export interface LineChart extends Titled {
  readonly kind: 'lines';
  readonly xTitle: string;
  readonly yTitle: string;
  readonly lines: readonly Line[];
}

export interface Line {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}
