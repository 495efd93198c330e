import { UriTemplate } from './uri-template.js';

test.each<[string, string, boolean]>([
  ['tickets://{id}', 'tickets://7', true],
  ['tickets://{id}', 'tickets://', false],
  ['tickets://{id}', 'tickets://7/8', false],
  ['tickets://{id}', 'xtickets://7', false],
  ['tickets://{id}/parts', 'tickets://7/parts', true],
  ['tickets://{id}/parts', 'tickets://7/parts/', false],
  ['a://{x}-{y}', 'a://1-2', true],
  ['a://{x}-{y}', 'a://1-', false],
  ['a://{x}-{y}', 'a://---', true],
  ['a://{x}{y}', 'a://12', true],
  ['a://{x}{y}', 'a://1', false],
  ['a://{+path}', 'a://b/c/d', true],
  ['a://{+path}/end', 'a://b/c/end', true],
  ['a://{+path}/end', 'a://end', false],
  ['a://{x}aa{y}', 'a://aaaa', true],
  ['a://b', 'a://b', true],
  ['{+all}', 'anything at all', true],
])('%s against %s: %j', (template, uri, isMatch) => {
  expect(UriTemplate.parse(template)?.matches(uri)).toBe(isMatch);
});

test.each(['a://{b*}', 'a://{?q}', 'a://{b', 'a://b}', 'a://{}', 'a://{a,b}'])(
  '%s cannot be read',
  (template) => {
    expect(UriTemplate.parse(template)).toBeUndefined();
  },
);

test('the time is in proportion to the length', () => {
  const template = UriTemplate.parse(`a://${'{x}a'.repeat(20)}b`);
  expect(template?.matches(`a://${'a'.repeat(100_000)}`)).toBe(false);
});

test('a URI that begins otherwise is not looked through, however long', () => {
  const template = UriTemplate.parse('tickets://{id}');
  const look = jest.spyOn(String.prototype, 'indexOf');
  expect(template?.matches(`ticket://${'a'.repeat(1_000)}`)).toBe(false);
  expect(look).not.toHaveBeenCalled();
  expect(template?.matches('tickets://1')).toBe(true);
  expect(look).toHaveBeenCalled();
  look.mockRestore();
});
