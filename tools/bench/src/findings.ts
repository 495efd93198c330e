/** What a part of the benchmarks has found: what `docs/benchmarks/<part>.json` holds beside the machine. */
export interface Findings {
  readonly groups: readonly GroupResult[];
  readonly goals: readonly Goal[];
}

/** One piece of work, done by several contenders in turns. */
export interface GroupResult {
  /** What goals and charts refer to; unique in its part. */
  readonly id: string;
  readonly title: string;
  /** Of `median`, `low` and `high`. */
  readonly unit: string;
  /** What `ratio` says, such as `× floor` or `speed ÷ floor`; absent when no row has one. */
  readonly ratio?: string;
  readonly rows: readonly Row[];
}

export interface Row {
  readonly name: string;
  readonly ours: boolean;
  readonly median: number;
  /** The 10th percentile. */
  readonly low: number;
  /** The 90th percentile. */
  readonly high: number;
  /** The median of the ratios to the floor's figure of the same rotation. */
  readonly ratio?: number;
  /** Further columns, by their headings. */
  readonly extra?: Readonly<Record<string, number | string>>;
}

/** What the figures are held to. It is met when all of its figures are within the bound. */
export interface Goal {
  /** Unique among all parts: what a reason for missing it refers to. */
  readonly id: string;
  readonly text: string;
  readonly bound: { readonly atMost: number } | { readonly atLeast: number };
  readonly unit: string;
  /** The figures that count, by what they are of. */
  readonly figures: Readonly<Record<string, number>>;
  readonly met: boolean;
}

/** A part of the benchmarks. */
export type Part = (pace: Pace) => Promise<Findings>;

/** How long a part measures. */
export interface Pace {
  readonly rotations: number;
  /** Of CPU time, or of time that goes by, as the work asks. */
  readonly sliceMs: number;
}

export const FULL: Pace = { rotations: 25, sliceMs: 20 };
export const QUICK: Pace = { rotations: 7, sliceMs: 5 };

/** Says whether a goal is met by its figures. A figure that is not a number misses it. */
export function goal(stated: Omit<Goal, 'met'>): Goal {
  const { bound } = stated;
  const isWithin = (figure: number): boolean =>
    'atMost' in bound ? figure <= bound.atMost : figure >= bound.atLeast;
  const figures = Object.values(stated.figures);
  return { ...stated, met: figures.length > 0 && figures.every(isWithin) };
}

/** Whether a contender is one of ours: those have the name of their package in front. */
export function isOurs(name: string): boolean {
  return name.startsWith('@frontmcp/');
}

/** @throws {Error} When the group has no such row. */
export function rowOf(group: GroupResult, name: string): Row {
  const row = group.rows.find((candidate) => candidate.name === name);
  if (row === undefined) throw new Error(`${group.title}: there is no row "${name}"`);
  return row;
}

/**
 * The ratio of one row divided by that of another: how the two compare, with the noise of a moment out of both.
 *
 * @throws {Error} When one of the rows is not there or has no ratio.
 */
export function ratioOf(group: GroupResult, name: string, other: string): number {
  const [ratio, divisor] = [rowOf(group, name).ratio, rowOf(group, other).ratio];
  if (ratio === undefined || divisor === undefined) {
    throw new Error(`${group.title}: "${name}" and "${other}" have no ratios to compare`);
  }
  return round(ratio / divisor);
}

/** One figure a group, by the group's title. */
export function figuresOf(
  groups: readonly GroupResult[],
  figure: (group: GroupResult) => number,
): Record<string, number> {
  return Object.fromEntries(groups.map((group) => [group.title, figure(group)]));
}

/** A number with three digits that count, for tables and files. */
export function round(value: number): number {
  return Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
}
