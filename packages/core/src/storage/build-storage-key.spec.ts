import fc from 'fast-check';

import { buildGlobalStorageKey, buildStorageKey } from '../index.js';

/** Text made of what could confuse a key, and of what is a key's own. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        ':',
        '%',
        '{',
        '}',
        '%3A',
        '%global',
        'rl',
        'sem',
        '60000',
        'a',
        '\uD800',
        '\uDC00',
        '',
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join('')),
);
const kind = fc.oneof(
  fc.constant('sem'),
  fc.integer({ min: 1, max: 99_999 }).map((windowMs) => `rl:${String(windowMs)}`),
);
const limit = fc.record({
  entity: fc.option(hostile, { nil: undefined }),
  partition: hostile,
  kind,
});

function keyOf({
  entity,
  partition,
  kind: suffix,
}: {
  entity: string | undefined;
  partition: string;
  kind: string;
}): string {
  return entity === undefined
    ? buildGlobalStorageKey(partition, suffix)
    : buildStorageKey(entity, partition, suffix);
}

describe('buildStorageKey', () => {
  test.each([42, undefined, null, {}])('refuses the part %p by name', (part) => {
    const [entity, text] = [part as string, 'a'];
    const got = `got ${part === null ? 'null' : typeof part}`;
    const [notEntity, notPartition] = ['entity', 'partition'].map(
      (name) => new TypeError(`${name} must be a string, ${got}`),
    );
    expect(() => buildStorageKey(entity, text)).toThrow(notEntity);
    expect(() => buildStorageKey(text, entity)).toThrow(notPartition);
    expect(() => buildGlobalStorageKey(entity)).toThrow(notPartition);
  });

  test('[KEY-01] joins entity, partition and kind', () => {
    expect(buildStorageKey('export_tickets', 'global', 'rl:60000')).toBe(
      'export_tickets:global:rl:60000',
    );
    expect(buildStorageKey('tool', 'user:42')).toBe('tool:user:42');
    expect(buildGlobalStorageKey('1.2.3.4', 'rl:60000')).toBe('%global:1.2.3.4:rl:60000');
  });

  test('encodes what could end a name or a hash tag, and nothing else', () => {
    expect(buildStorageKey('a:b{c}%d', 'e:f{g}%h', 'sem')).toBe(
      'a%3Ab%7Bc%7D%25d:e:f%7Bg%7D%25h:sem',
    );
    expect(buildStorageKey('\uD800x', 'y\uDC00')).toBe('%uD800x:y%uDC00');
    expect(buildStorageKey('日本🎫', 'ü')).toBe('日本🎫:ü');
  });

  test('B-63 a delimiter in a name moves nothing into the next part', () => {
    expect(buildStorageKey('a:b', 'c', 'sem')).not.toBe(buildStorageKey('a', 'b:c', 'sem'));
    expect(buildStorageKey('%global', 'p', 'sem')).not.toBe(buildGlobalStorageKey('p', 'sem'));
  });

  test('is injective for keys with a kind, whatever the texts contain', () => {
    fc.assert(
      fc.property(limit, limit, (one, other) => {
        const same =
          one.entity === other.entity &&
          one.partition === other.partition &&
          one.kind === other.kind;
        expect(keyOf(one) === keyOf(other)).toBe(same);
      }),
      { numRuns: 20_000, seed: 3 },
    );
  });

  test('is well-formed and free of braces, whatever the texts contain', () => {
    fc.assert(
      fc.property(limit, (one) => {
        expect(keyOf(one).isWellFormed()).toBe(true);
        expect(keyOf(one)).not.toMatch(/[{}]/);
      }),
      { numRuns: 5_000, seed: 4 },
    );
  });

  test('two texts built to collide do not, among all pairs of a small alphabet', () => {
    const texts = [''];
    for (const a of [':', '%', '{', 'a', '\uD800', '3', 'A']) {
      texts.push(a);
      for (const b of [':', '%', '25', 'a', '\uDC00']) texts.push(a + b);
    }
    const keys = new Set(
      texts.flatMap((entity) =>
        texts.map((partition) => buildStorageKey(entity, partition, 'sem')),
      ),
    );
    expect(keys.size).toBe(texts.length ** 2);
  });
});
