import { ResourceKeys } from './resource-keys.js';

const keys = new ResourceKeys([
  'file:///etc/one',
  'memo://{id}',
  'memo://special',
  'memo://{id}/{part}',
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
  ['no uri', undefined],
  [7, undefined],
  [undefined, undefined],
])('%j falls under %j', (uri, key) => {
  expect(keys.find(uri)).toBe(key);
});
