import { GuardError } from '@frontmcp/guard-core';

import { retryAfterSeconds } from '../headers/retry-after-seconds.js';
import type { HeaderField } from '../headers/header-field.js';
import { problemOf, type ProblemDetails } from '../problem/problem-of.js';
import { retryAfterMsOf } from '../problem/retry-after-ms-of.js';
import type { RequestPolicies } from './request-policies.js';

/** How a request is refused. */
export interface Refusal {
  /** Why, for the server: its message may hold keys and addresses. */
  readonly error: GuardError;
  /** The HTTP status, that of the error. */
  readonly status: number;
  /** With the content type of `problem`. */
  readonly headers: readonly HeaderField[];
  /** The body, as RFC 9457 has it. */
  readonly problem: ProblemDetails;
}

/**
 * The answer to a request that a guard refused.
 *
 * @param policies The limits that the request met; undefined when it came to none.
 * @throws The error itself when it is no refusal: what an application throws, and what is wrong with its configuration.
 */
export function refusalOf(error: unknown, policies?: RequestPolicies): Refusal {
  if (!(error instanceof GuardError) || error.statusCode === 500) throw error;
  const seconds = retryAfterSeconds(retryAfterMsOf(error) ?? NaN);
  const headers: HeaderField[] = [
    ['content-type', 'application/problem+json'],
    ['cache-control', 'no-store'],
    ...(policies?.refused(error) ?? []),
  ];
  if (seconds !== undefined) headers.push(['retry-after', String(seconds)]);
  const problem = problemOf(error, policies?.violatedBy(error)?.name);
  return { error, status: error.statusCode, headers, problem };
}
