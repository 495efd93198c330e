import { mergeField } from './merge-field.js';

describe('mergeField', () => {
  test('is the value when there was none', () => {
    expect(mergeField('RateLimit', undefined, '"a";r=1')).toBe('"a";r=1');
    expect(mergeField('RateLimit', null, '"a";r=1')).toBe('"a";r=1');
    expect(mergeField('RateLimit', '', '"a";r=1')).toBe('"a";r=1');
  });

  test.each(['RateLimit', 'ratelimit-policy', 'RATELIMIT-POLICY'])(
    'adds to the list of %s',
    (name) => {
      expect(mergeField(name, '"a";q=1, "b";q=2', '"b";q=2, "c";q=3')).toBe(
        '"a";q=1, "b";q=2, "c";q=3',
      );
    },
  );

  test('does not take a name apart that looks like two items', () => {
    const odd = '"a, \\"b";r=1';
    expect(mergeField('ratelimit', odd, `${odd}, "c";r=2`)).toBe(`${odd}, "c";r=2`);
    expect(mergeField('ratelimit', '"a, ";r=1', '"a, ";r=2')).toBe('"a, ";r=1, "a, ";r=2');
  });

  test('adds to the windows of the older drafts, whose RateLimit is no list', () => {
    expect(mergeField('RateLimit-Policy', '9;w=60, 5;w=1', '5;w=1, 7;w=60')).toBe(
      '9;w=60, 5;w=1, 7;w=60',
    );
    expect(mergeField('RateLimit', 'limit=9, remaining=1', 'limit=5, remaining=4')).toBe(
      'limit=5, remaining=4',
    );
    expect(mergeField('RateLimit', '"a";r=1', 'limit=5, remaining=4')).toBe('limit=5, remaining=4');
  });

  test.each(['retry-after', 'content-type', 'x-ratelimit-limit', 'ratelimit-limit'])(
    'replaces %s',
    (name) => {
      expect(mergeField(name, '5', '7')).toBe('7');
    },
  );
});
