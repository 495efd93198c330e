import type { Chart } from '../chart/chart.ts';
import type { PartResult } from '../result-files.ts';

/** What the page says of one part beside its figures. */
export interface PartPage {
  readonly title: string;
  /** Markdown in front of the chart and the tables: what is measured, and against what. */
  readonly lead: string;
  readonly chart: (result: PartResult) => Chart;
  readonly tables: readonly TableView[];
  /** What each contender does not do, or does differently, by its name in the rows. */
  readonly peers: Readonly<Record<string, string>>;
  /** Why a goal is missed, and what would be needed, by the id of the goal. Shown only while it is missed. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Markdown after the tables. */
  readonly close?: string;
}

/** A table of the groups whose ids it takes: a column a group, or, for one group, a column a figure. */
export interface TableView {
  readonly caption: string;
  readonly groups: RegExp;
  /** What a cell holds: `ratio`, `median`, or the heading of an extra column. Not used for a single group. */
  readonly cells?: readonly string[];
}
