import { ResourceKeys } from './resource-keys.js';

const keys = new ResourceKeys([
  'file:///etc/one',
  'memo://{id}',
  'memo://special',
  'memo://{id}/{part}',
  'docs://x/public/{+path}',
  'docs://x/private/{id}',
  'HTTP://Example.com/{id}',
  'HTTP://Example.com',
  'docs://x/a b/{+rest}',
]);

test.each<[unknown, string | undefined]>([
  ['file:///etc/one', 'file:///etc/one'],
  ['FILE:///etc/one', 'file:///etc/one'],
  ['file:///etc/../etc/one', 'file:///etc/one'],
  ['file:///etc/%6fne', undefined],
  ['memo://special', 'memo://special'],
  ['memo://other', 'memo://{id}'],
  ['memo://a/b', 'memo://{id}/{part}'],
  ['memo://a/b/c', undefined],
  ['docs://x/public/1/2', 'docs://x/public/{+path}'],
  ['docs://x/public/../private/1', 'docs://x/private/{id}'],
  ['docs://x/public/%2e%2e/private/1', 'docs://x/private/{id}'],
  ['docs://x/public/../other/1', undefined],
  ['docs://x/pub\nlic/1', 'docs://x/public/{+path}'],
  ['http://example.com/1', 'HTTP://Example.com/{id}'],
  ['http://EXAMPLE.com:80/1', 'HTTP://Example.com/{id}'],
  ['http://example.com', 'HTTP://Example.com'],
  ['docs://x/a b/c/d', 'docs://x/a b/{+rest}'],
  ['no uri', undefined],
  [7, undefined],
  [undefined, undefined],
])('%j falls under %j', (uri, key) => {
  expect(keys.find(uri)).toBe(key);
});
