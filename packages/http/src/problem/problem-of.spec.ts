import {
  GuardConfigError,
  GuardError,
  GuardStorageUnavailableError,
  GuardStorageUnsupportedError,
} from '@frontmcp/guard-core';
import { IpBlockedError, IpNotAllowedError } from '@frontmcp/guard-ip-filter';
import { RateLimitError } from '@frontmcp/guard-rate-limit';

import { problemOf } from './problem-of.js';

const QUOTA = 'https://iana.org/assignments/http-problem-types#quota-exceeded';
const CAPACITY = 'https://iana.org/assignments/http-problem-types#temporary-reduced-capacity';
const SECRET = 'redis://10.1.2.3 key 203.0.113.7';

const coded = (code: string, statusCode: number) =>
  new GuardError(SECRET, { code, statusCode, help: SECRET });

test.each<[GuardError, object]>([
  [
    new RateLimitError(SECRET, 1_500),
    {
      type: QUOTA,
      title: 'Quota Exceeded',
      status: 429,
      code: 'RATE_LIMIT_EXCEEDED',
      retryAfterMs: 1_500,
    },
  ],
  [
    coded('CONCURRENCY_LIMIT', 429),
    {
      type: QUOTA,
      title: 'Quota Exceeded',
      status: 429,
      code: 'CONCURRENCY_LIMIT',
      retryAfterMs: 1_000,
    },
  ],
  [
    coded('QUEUE_TIMEOUT', 429),
    {
      type: QUOTA,
      title: 'Quota Exceeded',
      status: 429,
      code: 'QUEUE_TIMEOUT',
      retryAfterMs: 1_000,
    },
  ],
  [
    new GuardStorageUnavailableError(SECRET, { cause: new Error(SECRET) }),
    {
      type: CAPACITY,
      title: 'Temporary Reduced Capacity',
      status: 503,
      code: 'GUARD_STORAGE_UNAVAILABLE',
      retryAfterMs: 1_000,
    },
  ],
  [
    coded('GUARD_STORAGE_FULL', 503),
    {
      type: CAPACITY,
      title: 'Temporary Reduced Capacity',
      status: 503,
      code: 'GUARD_STORAGE_FULL',
      retryAfterMs: 1_000,
    },
  ],
  [
    new IpBlockedError('203.0.113.7'),
    { type: 'about:blank', title: 'Forbidden', status: 403, code: 'IP_BLOCKED' },
  ],
  [
    new IpNotAllowedError('203.0.113.7'),
    { type: 'about:blank', title: 'Forbidden', status: 403, code: 'IP_NOT_ALLOWED' },
  ],
  [
    coded('EXECUTION_TIMEOUT', 408),
    { type: 'about:blank', title: 'Request Timeout', status: 408, code: 'EXECUTION_TIMEOUT' },
  ],
  [
    coded('LEASE_LOST', 500),
    { type: 'about:blank', title: 'Internal Server Error', status: 500, code: 'LEASE_LOST' },
  ],
  [
    new GuardConfigError(SECRET),
    {
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      code: 'GUARD_CONFIG_INVALID',
    },
  ],
  [
    new GuardStorageUnsupportedError(SECRET),
    { title: 'Internal Server Error', status: 500, code: 'GUARD_STORAGE_UNSUPPORTED' },
  ],
  [
    coded('MINE', 418),
    {
      type: 'about:blank',
      title: 'Bad Request',
      status: 418,
      code: 'MINE',
      detail: 'The request was refused',
    },
  ],
  [
    coded('MINE', 599),
    { title: 'Internal Server Error', status: 599, detail: 'The request could not be handled' },
  ],
  [coded('MINE', 200), { title: 'Internal Server Error', status: 500 }],
  [coded('MINE', NaN), { status: 500 }],
  [coded('MINE', 429.5), { status: 500 }],
  [coded('MINE', 600), { status: 500 }],
  [coded('MINE', 399), { status: 500 }],
  [coded('MINE', 400), { status: 400, title: 'Bad Request' }],
])('%s', (error, expected) => {
  const problem = problemOf(error);
  expect(problem).toMatchObject(expected);
  expect('retryAfterMs' in problem).toBe('retryAfterMs' in expected);
  expect('violated-policies' in problem).toBe(false);
  expect(problem.detail).toMatch(/^[A-Z][a-z ]+[a-z]$/);
});

test('nothing of the message gets out', () => {
  const codes = [
    'RATE_LIMIT_EXCEEDED',
    'CONCURRENCY_LIMIT',
    'QUEUE_TIMEOUT',
    'GUARD_STORAGE_UNAVAILABLE',
    'GUARD_STORAGE_FULL',
    'EXECUTION_TIMEOUT',
    'IP_BLOCKED',
    'IP_NOT_ALLOWED',
    'MINE',
  ];
  const errors = [
    ...codes.map((code) => coded(code, 429)),
    new RateLimitError(SECRET, 1),
    new IpBlockedError('203.0.113.7'),
  ];
  for (const error of errors) {
    const text = JSON.stringify(problemOf(error));
    for (const word of ['redis', '10.1.2.3', 'key', '203.0.113.7'])
      expect(text).not.toContain(word);
  }
});

test('names the limit that refused', () => {
  expect(problemOf(new RateLimitError('a', 1), 'burst')['violated-policies']).toStrictEqual([
    'burst',
  ]);
  expect(problemOf(coded('CONCURRENCY_LIMIT', 429), '')['violated-policies']).toStrictEqual(['']);
});

test.each([Infinity, NaN])('case B-06: a wait of %d is left out', (ms) => {
  expect('retryAfterMs' in problemOf(new RateLimitError('a', ms))).toBe(false);
});
