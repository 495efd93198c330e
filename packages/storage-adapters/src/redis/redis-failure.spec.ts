import { GuardConfigError } from '@frontmcp/guard-core';

import { isUnknownScript, toRedisFailure } from './redis-failure.js';

test.each([
  'WRONGTYPE Operation against a key holding the wrong kind of value',
  'ERR value is not an integer or out of range',
  'ERR increment or decrement would overflow',
  'ERR user_script:3: WRONGTYPE the key holds no counts',
])('%j is a TypeError that names the key, of which it shows 64 characters', (message) => {
  const failure = toRedisFailure(new Error(message), 'k'.repeat(65)) as Error;
  expect(failure).toBeInstanceOf(TypeError);
  expect(failure.message).toBe(
    `Storage key "${'k'.repeat(64)}" holds something else than the call is for: ${message}`,
  );
  expect(toRedisFailure(new Error(message), undefined)).toMatchObject({
    message: expect.stringMatching(/^A storage key holds/) as string,
  });
});

test.each([
  "Stream isn't writeable and enableOfflineQueue options is false",
  'The client is closed',
  'The client is offline',
])('%j says that nothing was sent', (message) => {
  expect(toRedisFailure(new Error(message), 'key')).toMatchObject({
    wasSent: false,
    cause: { message },
  });
});

test('any other error is as it was, without the command that it held', () => {
  const error = Object.assign(new Error('NOPERM'), { command: { name: 'set', args: ['secret'] } });
  expect(toRedisFailure(error, 'key')).toBe(error);
  expect(error).not.toHaveProperty('command');
  const ofGuard = new GuardConfigError('WRONGTYPE');
  expect(toRedisFailure(ofGuard, 'key')).toBe(ofGuard);
  expect(toRedisFailure('text', 'key')).toBe('text');
});

test('a script is unknown only when the server begins with it', () => {
  expect(isUnknownScript(new Error('NOSCRIPT No matching script'))).toBe(true);
  expect(isUnknownScript(new Error('ERR NOSCRIPT'))).toBe(false);
  expect(isUnknownScript('NOSCRIPT')).toBe(false);
});
