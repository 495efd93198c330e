/** One sentence of the public contract that promises something. */
export interface Requirement {
  /** Area and number, for example `RL-01`. Never reused. */
  readonly id: string;
  readonly sentence: string;
  /** Where the promise is made: a section of the contract, or an issue. */
  readonly source: string;
  /** What stands for it: a test that cites the id, or a decision to do otherwise, which a test cites as well. */
  readonly status: 'tested' | `deviates: ADR-${string}`;
}
