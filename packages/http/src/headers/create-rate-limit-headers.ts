import { GuardConfigError, nearestWord } from '@frontmcp/guard-core';

import type { FieldFormat } from './field-format.js';
import type { HeaderField } from './header-field.js';
import type { HeaderStyle } from './header-style.js';
import { listFormat } from './list-format.js';
import type { QuotaPolicy, QuotaState } from './quota.js';
import {
  draft6Format,
  draft7Format,
  xRateLimitEpochFormat,
  xRateLimitFormat,
} from './single-format.js';

const FORMATS: ReadonlyMap<string, FieldFormat> = new Map<HeaderStyle, FieldFormat>([
  ['draft', listFormat(';')],
  ['draft-8', listFormat('; ')],
  ['draft-7', draft7Format],
  ['draft-6', draft6Format],
  ['x-ratelimit', xRateLimitFormat],
  ['x-ratelimit-epoch', xRateLimitEpochFormat],
]);

/** The headers that tell a client of its limits. */
export interface RateLimitHeaders {
  /** What is the same in each response of a route, to be kept. */
  policies(policies: readonly QuotaPolicy[]): HeaderField[];
  /**
   * What is left, for one response.
   *
   * @param nowMs Milliseconds since 1970, for `x-ratelimit-epoch`. The clock of this process by default.
   */
  states(states: readonly QuotaState[], nowMs?: number): HeaderField[];
}

/**
 * Prepares the headers of one or more styles; of none it gives no headers.
 *
 * The newer styles say every policy and state. The older ones say one state, the most restrictive: see {@link HeaderStyle}. Numbers are whole
 * and not negative, at most fifteen nines, and what is not finite is left out, never written. Seconds are rounded up, and those of a
 * state that refused are at least 1.
 *
 * @throws GuardConfigError for an unknown style, naming the nearest known one, and for two styles that write the same field.
 */
export function createRateLimitHeaders(styles: readonly HeaderStyle[]): RateLimitHeaders {
  const writerOf = new Map<string, string>();
  const formats = styles.map((style) => {
    const format = formatOf(style);
    for (const field of format.fields) {
      const other = writerOf.get(field);
      if (other !== undefined) {
        throw new GuardConfigError(
          `Cannot use header styles "${other}" and "${style}" together: both write ${field}`,
        );
      }
      writerOf.set(field, style);
    }
    return format;
  });
  const [format] = formats;
  if (format !== undefined && formats.length === 1) return format;
  return {
    policies: (policies) => formats.flatMap((each) => each.policies(policies)),
    states: (states, nowMs) => formats.flatMap((each) => each.states(states, nowMs)),
  };
}

function formatOf(style: string): FieldFormat {
  const format = FORMATS.get(style);
  if (format !== undefined) return format;
  const nearest = typeof style === 'string' ? nearestWord(style, [...FORMATS.keys()]) : undefined;
  const hint = nearest === undefined ? '' : `, did you mean "${nearest}"?`;
  throw new GuardConfigError(`Unknown header style "${style}"${hint}`);
}
