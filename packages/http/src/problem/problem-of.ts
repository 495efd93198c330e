import type { GuardError } from '@frontmcp/guard-core';

import { retryAfterMsOf } from './retry-after-ms-of.js';
import { statusTitle } from './status-title.js';

/** The body of a refusal, RFC 9457: `application/problem+json`. */
export interface ProblemDetails {
  /** A URI that names the kind of problem; `about:blank` when the status says it all. */
  readonly type: string;
  /** The same for each problem of a type. */
  readonly title: string;
  /** The HTTP status. */
  readonly status: number;
  /** What happened, for a person. Nothing of the server's inside. */
  readonly detail: string;
  /** The code of the error, for a program: `RATE_LIMIT_EXCEEDED`. */
  readonly code: string;
  /** How long to wait, in milliseconds; left out when nobody knows, or when waiting does not help. */
  readonly retryAfterMs?: number;
  /** The names of the limits that refused, as the headers have them; left out when nobody said. */
  readonly 'violated-policies'?: readonly string[];
}

const BLANK = { type: 'about:blank' };
const QUOTA_EXCEEDED = {
  type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
  title: 'Quota Exceeded',
};
const REDUCED_CAPACITY = {
  type: 'https://iana.org/assignments/http-problem-types#temporary-reduced-capacity',
  title: 'Temporary Reduced Capacity',
};

interface Kind {
  readonly type: string;
  readonly title?: string;
  readonly detail: string;
}

/** What is said of each code. The messages of errors hold keys, addresses and hosts, so none is passed on. */
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['RATE_LIMIT_EXCEEDED', { ...QUOTA_EXCEEDED, detail: 'The request is over its rate limit' }],
  ['CONCURRENCY_LIMIT', { ...QUOTA_EXCEEDED, detail: 'Too many requests are running at once' }],
  ['QUEUE_TIMEOUT', { ...QUOTA_EXCEEDED, detail: 'No running request ended in time to make room' }],
  [
    'GUARD_STORAGE_UNAVAILABLE',
    { ...REDUCED_CAPACITY, detail: 'Limits cannot be checked at the moment' },
  ],
  ['GUARD_STORAGE_FULL', { ...REDUCED_CAPACITY, detail: 'Limits cannot be counted at the moment' }],
  ['EXECUTION_TIMEOUT', { ...BLANK, detail: 'The request took too long' }],
  ['IP_BLOCKED', { ...BLANK, detail: 'Requests from this address are not accepted' }],
  ['IP_NOT_ALLOWED', { ...BLANK, detail: 'Requests from this address are not accepted' }],
]);

/**
 * The body that tells a client why its request was refused.
 *
 * Every text is fixed by the code of the error, so that nothing of its message gets out: no key, address, rule or host. A code that
 * is not known, of an error of an application too, gets a general text. A status that is no error is 500.
 *
 * @param policy The name of the limit that refused, as the headers have it.
 */
export function problemOf(error: GuardError, policy?: string): ProblemDetails {
  const { code } = error;
  const status = errorStatus(error.statusCode);
  const { type, title, detail } = KINDS.get(code) ?? {
    ...BLANK,
    detail: status < 500 ? 'The request was refused' : 'The request could not be handled',
  };
  const retryAfterMs = retryAfterMsOf(error);
  return {
    type,
    title: title ?? statusTitle(status),
    status,
    detail,
    code,
    ...(retryAfterMs !== undefined && Number.isFinite(retryAfterMs) && { retryAfterMs }),
    ...(policy !== undefined && { 'violated-policies': [policy] }),
  };
}

function errorStatus(status: number): number {
  return Number.isInteger(status) && status >= 400 && status <= 599 ? status : 500;
}
