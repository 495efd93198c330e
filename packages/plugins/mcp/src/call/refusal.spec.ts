import {
  ConcurrencyLimitError,
  ExecutionTimeoutError,
  GuardError,
  GuardStorageFullError,
  GuardStorageUnavailableError,
  IpBlockedError,
  LeaseLostError,
  QueueTimeoutError,
  RateLimitError,
} from '@frontmcp/guard';

import { describeRefusal } from './refusal.js';

test.each<[GuardError, string]>([
  [
    new RateLimitError('t', 1),
    'The rate limit of this tool is reached. Wait 1 second, then call again.',
  ],
  [
    new RateLimitError('t', 1_000),
    'The rate limit of this tool is reached. Wait 1 second, then call again.',
  ],
  [
    new RateLimitError('t', 1_001),
    'The rate limit of this tool is reached. Wait 2 seconds, then call again.',
  ],
  [
    new RateLimitError('t', 0),
    'The rate limit of this tool is reached. Wait 1 second, then call again.',
  ],
  [
    new RateLimitError('t', Infinity),
    'The call is over the rate limit of this tool, and waiting does not help.',
  ],
  [
    new ConcurrencyLimitError('t', 2, { scope: 'global' }),
    'Too many calls of this server are running (at most 2 at once). Call again when one of them has ended.',
  ],
  [
    new QueueTimeoutError('t', 50),
    'Too many calls of this tool are running, and none ended while this one waited. Call again when one of them has ended.',
  ],
  [
    new ExecutionTimeoutError('t', 2_000),
    'The call took longer than the 2 seconds that this tool may take, and was given up. Ask for less at once.',
  ],
  [
    new IpBlockedError('192.0.2.7'),
    'This server does not take calls from this network. Do not call again.',
  ],
  [
    new GuardStorageUnavailableError('redis://secret@host'),
    'The server cannot check its limits at the moment. Call again later.',
  ],
  [
    new GuardStorageFullError(1),
    'The server cannot check its limits at the moment. Call again later.',
  ],
  [
    new LeaseLostError('t', 'id'),
    'The call lost its place among the running calls and was given up. Call again later.',
  ],
  [
    new GuardError('internal', { code: 'X', statusCode: 500 }),
    'The server could not check its limits. Calling again does not help.',
  ],
])('%s', (error, text) => {
  const refusal = describeRefusal(error, 't', 'tools/call');
  expect(refusal.text).toBe(text);
  expect(refusal.data).toMatchObject({ code: error.code, entity: 't' });
  expect(JSON.stringify(refusal)).not.toMatch(/192\.0\.2\.7|secret|internal|http/);
});

test('a wait without an end is no number', () => {
  expect(describeRefusal(new RateLimitError('t', Infinity), 't', 'tools/call').data).toEqual({
    code: 'RATE_LIMIT_EXCEEDED',
    entity: 't',
  });
});
