import type { HeaderField } from './header-field.js';
import type { QuotaPolicy, QuotaState } from './quota.js';

/** How one style of headers is written. */
export interface FieldFormat {
  /** The names of the fields, for telling which styles cannot stand together. */
  readonly fields: readonly string[];
  /** What is the same in each response. */
  readonly policies: (policies: readonly QuotaPolicy[]) => HeaderField[];
  /** What is left. `nowMs` is milliseconds since 1970, by the clock of the process when it is undefined. */
  readonly states: (states: readonly QuotaState[], nowMs: number | undefined) => HeaderField[];
}
