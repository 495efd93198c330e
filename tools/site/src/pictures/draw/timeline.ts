import type { Call, Outcome } from '../runs.ts';

/** Calls over time, in rows below each other. What it shows, apart from how it is drawn. */
export interface Timeline {
  readonly title: string;
  readonly subtitle: string;
  readonly durationMs: number;
  /** Distance of the vertical lines. */
  readonly windowMs: number;
  readonly rows: readonly Row[];
  /** A stretch of time that stands out. */
  readonly band?: Band;
  readonly outcomes: Readonly<Partial<Record<Outcome, string>>>;
}

export type Row = CallRow | StepRow;

interface Labelled {
  /** The name of this row and those that follow it, up to the next one that has one. */
  readonly heading?: string;
  readonly label: string;
}

/** A tick for each call. */
export interface CallRow extends Labelled {
  readonly kind: 'calls';
  readonly calls: readonly Call[];
}

/** A value that stays until it changes. */
export interface StepRow extends Labelled {
  readonly kind: 'steps';
  readonly points: readonly (readonly [atMs: number, value: number])[];
  readonly max: number;
}

export interface Band {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly label: string;
}

/** How many of the calls were admitted, in words. */
export function countAdmitted(calls: readonly Call[]): string {
  return `${calls.filter(({ outcome }) => outcome === 'admitted').length} of ${calls.length}`;
}

/** The most calls that were admitted in a stretch of that length, wherever it begins. */
export function mostAdmitted(calls: readonly Call[], lengthMs: number): number {
  const times = calls.filter(({ outcome }) => outcome === 'admitted').map(({ atMs }) => atMs);
  return Math.max(
    ...times.map((from) => times.filter((at) => at >= from && at < from + lengthMs).length),
  );
}
