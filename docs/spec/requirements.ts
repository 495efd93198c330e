/**
 * What guard promises, one sentence a row. Tests cite a row in their title, as `[RL-01]`; a gate
 * fails on a row that claims to be tested and is cited by none.
 */
export interface Requirement {
  /** Area and number, for example `RL-01`. Never reused. */
  readonly id: string;
  readonly sentence: string;
  /** Where the promise is made: a section of the README, or an issue. */
  readonly source: string;
  readonly status: 'tested' | `planned: ${'storage' | 'plugins'}` | `deviates: ADR-${string}`;
}

export const requirements: readonly Requirement[] = [];
