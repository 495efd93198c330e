import { errorHelp, type GuardConfigError } from '@frontmcp/guard-core';

import { readServer } from './read-server.js';

const read = (url: string) => () => readServer({ url, token: 'token' }, 'storage.upstash', 'NONE');

/** The error of which this is the whole message. */
const refusal = (text: string) => {
  const message = `${text} (see ${errorHelp('GUARD_CONFIG_INVALID')})`;
  return expect.objectContaining({ name: 'GuardConfigError', message }) as GuardConfigError;
};

test('an address is taken as it is', () => {
  expect(read('https://example.upstash.io')()).toEqual({
    url: 'https://example.upstash.io',
    token: 'token',
  });
});

test.each(['rediss://h', 'example.upstash.io', 'https:secret@'])('%j is none', (url) => {
  expect(read(url)).toThrow(
    refusal('storage.upstash.url must be the URL of the REST API, https://…'),
  );
});

test.each(['https://user:secret@h', 'https://secret@h'])(
  'a password as in %j is refused, and is not in the error',
  (url) => {
    expect(read(url)).toThrow(
      refusal('storage.upstash.url must have no user and no password; the token stands apart'),
    );
  },
);

test('what is missing is named, and where it could have been', () => {
  expect(() => readServer({}, 'storage.upstash', 'NONE')).toThrow(
    'storage.upstash.url is missing, and so is the environment variable NONE_URL',
  );
  expect(() => readServer({ url: 'https://h', token: '' }, 'storage.upstash', 'NONE')).toThrow(
    'storage.upstash.token is missing, and so is the environment variable NONE_TOKEN',
  );
});
