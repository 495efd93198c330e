import fc from 'fast-check';
import { GuardConfigError } from '@frontmcp/guard-core';
import { parseList, type Item } from 'structured-headers';

import { createRateLimitHeaders } from './create-rate-limit-headers.js';
import type { HeaderField } from './header-field.js';
import type { HeaderStyle } from './header-style.js';
import type { QuotaPolicy, QuotaState } from './quota.js';

const BURST: QuotaPolicy = { name: 'burst', quota: 100, windowMs: 60_000 };
const DAILY: QuotaPolicy = { name: 'daily', quota: 1_000, windowMs: 86_400_000 };
const SLOTS: QuotaPolicy = { name: 'slots', quota: 5, unit: 'concurrent-requests' };
const LARGEST = 999_999_999_999_999;
const ALL: HeaderStyle[] = [
  'draft',
  'draft-8',
  'draft-7',
  'draft-6',
  'x-ratelimit',
  'x-ratelimit-epoch',
];

const policiesOf = (style: HeaderStyle, ...policies: QuotaPolicy[]) =>
  Object.fromEntries(createRateLimitHeaders([style]).policies(policies));
const statesOf = (style: HeaderStyle, ...states: QuotaState[]) =>
  Object.fromEntries(createRateLimitHeaders([style]).states(states, 1_700_000_000_001));

/** Reads a field with the parser of another project. */
function read([, value]: HeaderField): [unknown, Record<string, unknown>][] {
  return (parseList(value) as Item[]).map(([item, parameters]) => [
    item,
    Object.fromEntries(parameters),
  ]);
}

describe('draft', () => {
  test('says every policy, slots with their unit', () => {
    expect(policiesOf('draft', BURST, DAILY, SLOTS)).toStrictEqual({
      'RateLimit-Policy':
        '"burst";q=100;w=60, "daily";q=1000;w=86400, "slots";q=5;qu="concurrent-requests"',
    });
  });

  test('says every state', () => {
    expect(
      statesOf(
        'draft',
        { policy: BURST, remaining: 50, resetMs: 30_000 },
        { policy: DAILY, remaining: 900, resetMs: 1 },
        { policy: SLOTS, remaining: 3 },
      ),
    ).toStrictEqual({ RateLimit: '"burst";r=50;t=30, "daily";r=900;t=1, "slots";r=3' });
  });

  test('says each of many names as it is, the first time and later', () => {
    for (const turn of [1, 2]) {
      for (let at = 0; at < 1_100; at++) {
        const name = `"${at}"`;
        const state = { policy: { name, quota: 9 }, remaining: turn };
        expect(statesOf('draft', state)).toEqual({ RateLimit: `"\\"${at}\\"";r=${turn}` });
      }
    }
  });

  test('is read by a parser of structured fields', () => {
    const headers = createRateLimitHeaders(['draft']);
    expect(headers.policies([BURST, SLOTS]).map(read)).toStrictEqual([
      [
        ['burst', { q: 100, w: 60 }],
        ['slots', { q: 5, qu: 'concurrent-requests' }],
      ],
    ]);
    expect(
      headers.states([{ policy: BURST, remaining: 9, resetMs: 1_001 }]).map(read),
    ).toStrictEqual([[['burst', { r: 9, t: 2 }]]]);
  });
});

test('draft-8 has the spaces of express-rate-limit, and means the same', () => {
  const headers = createRateLimitHeaders(['draft-8']);
  const policies = headers.policies([BURST, SLOTS]);
  const states = headers.states([{ policy: BURST, remaining: 0, resetMs: 500, refused: true }]);
  expect(policies).toStrictEqual([
    ['RateLimit-Policy', '"burst"; q=100; w=60, "slots"; q=5; qu="concurrent-requests"'],
  ]);
  expect(states).toStrictEqual([['RateLimit', '"burst"; r=0; t=1']]);
  const draft = createRateLimitHeaders(['draft']);
  expect(policies.map(read)).toStrictEqual(draft.policies([BURST, SLOTS]).map(read));
});

describe('the styles that say one state', () => {
  const state: QuotaState = { policy: BURST, remaining: 9, resetMs: 29_001 };

  test.each<[HeaderStyle, object, object]>([
    [
      'draft-7',
      { 'RateLimit-Policy': '100;w=60, 1000;w=86400' },
      { RateLimit: 'limit=100, remaining=9, reset=30' },
    ],
    [
      'draft-6',
      { 'RateLimit-Policy': '100;w=60, 1000;w=86400' },
      { 'RateLimit-Limit': '100', 'RateLimit-Remaining': '9', 'RateLimit-Reset': '30' },
    ],
    [
      'x-ratelimit',
      {},
      { 'X-RateLimit-Limit': '100', 'X-RateLimit-Remaining': '9', 'X-RateLimit-Reset': '30' },
    ],
    [
      'x-ratelimit-epoch',
      {},
      {
        'X-RateLimit-Limit': '100',
        'X-RateLimit-Remaining': '9',
        'X-RateLimit-Reset': '1700000030',
      },
    ],
  ])('%s', (style, policies, states) => {
    expect(policiesOf(style, BURST, DAILY, SLOTS)).toStrictEqual(policies);
    expect(statesOf(style, state)).toStrictEqual(states);
    expect(statesOf(style, { policy: DAILY, remaining: 10, resetMs: 1 }, state)).toStrictEqual(
      states,
    );
  });

  test('a window is said once, and a limit without a window not at all', () => {
    expect(policiesOf('draft-7', BURST, { ...BURST, name: 'other' })).toStrictEqual({
      'RateLimit-Policy': '100;w=60',
    });
    expect(policiesOf('draft-7', SLOTS, { name: 'total', quota: 7 })).toStrictEqual({});
    expect(policiesOf('draft-6', { ...SLOTS, windowMs: 1_000 })).toStrictEqual({});
  });

  const limitOf = (...states: QuotaState[]) =>
    statesOf('x-ratelimit', ...states)['X-RateLimit-Limit'];
  const left = (quota: number, remaining: number, more: Partial<QuotaState> = {}): QuotaState => ({
    policy: { name: `p${quota}`, quota },
    remaining,
    ...more,
  });

  test('of several states, the one with the least left', () => {
    expect(limitOf(left(1, 5), left(2, 4), left(3, 6))).toBe('2');
  });

  test('on a tie, the one that takes longest', () => {
    expect(limitOf(left(1, 0, { resetMs: 5 }), left(2, 0, { resetMs: 9 }), left(3, 0))).toBe('2');
  });

  test('on a refusal, the one that refused, slots too', () => {
    expect(limitOf(left(1, 0), left(2, 7, { refused: true }), left(3, 0))).toBe('2');
    expect(limitOf({ policy: SLOTS, remaining: 0, refused: true }, left(1, 0))).toBe('5');
  });

  test('slots that did not refuse are not taken for requests', () => {
    expect(limitOf({ policy: SLOTS, remaining: 1 }, left(1, 50))).toBe('1');
    expect(statesOf('draft-7', { policy: SLOTS, remaining: 1 })).toStrictEqual({});
  });

  test('what is not finite is passed over', () => {
    expect(limitOf(left(1, NaN), left(Infinity, 0), left(2, 50), left(3, -Infinity))).toBe('2');
    expect(limitOf(left(Infinity, Infinity))).toBeUndefined();
  });

  test('no states are no headers', () => {
    expect(ALL.flatMap((style) => Object.keys(statesOf(style)))).toStrictEqual([]);
    expect(ALL.flatMap((style) => Object.keys(policiesOf(style)))).toStrictEqual([]);
  });

  test('a reset that nobody knows is left out', () => {
    for (const resetMs of [undefined, Infinity, NaN]) {
      const unknown = { policy: SLOTS, remaining: 0, resetMs, refused: true };
      expect(statesOf('draft-7', unknown)).toStrictEqual({ RateLimit: 'limit=5, remaining=0' });
      for (const style of ['draft-6', 'x-ratelimit', 'x-ratelimit-epoch'] as const) {
        expect(Object.keys(statesOf(style, unknown)).join()).not.toContain('Reset');
        expect(Object.keys(statesOf(style, unknown))).toHaveLength(2);
      }
    }
  });
});

describe('seconds', () => {
  const reset = (style: HeaderStyle, resetMs: number, refused?: boolean) =>
    statesOf(style, { policy: BURST, remaining: 0, resetMs, refused });

  test.each([
    [0, false, 0],
    [-5, false, 0],
    [1, false, 1],
    [1_000, false, 1],
    [1_001, false, 2],
    [0, true, 1],
    [-5, true, 1],
    [1, true, 1],
    [1_001, true, 2],
  ])('%d ms, refused %j, are %d', (ms, refused, seconds) => {
    expect(reset('draft', ms, refused)).toStrictEqual({ RateLimit: `"burst";r=0;t=${seconds}` });
    expect(reset('draft-7', ms, refused)).toStrictEqual({
      RateLimit: `limit=100, remaining=0, reset=${seconds}`,
    });
    expect(reset('draft-6', ms, refused)).toMatchObject({ 'RateLimit-Reset': String(seconds) });
    expect(reset('x-ratelimit', ms, refused)).toMatchObject({
      'X-RateLimit-Reset': String(seconds),
    });
  });

  test('the time of a reset is never before it, and after now when the limit refused', () => {
    const headers = createRateLimitHeaders(['x-ratelimit-epoch']);
    const epoch = (nowMs: number, resetMs: number, refused = false) =>
      headers.states([{ policy: BURST, remaining: 0, resetMs, refused }], nowMs).at(-1)?.[1];
    expect(epoch(5_000, 0)).toBe('5');
    expect(epoch(5_000, 0, true)).toBe('6');
    expect(epoch(5_999, 1)).toBe('6');
    expect(epoch(5_999, 2)).toBe('7');
  });

  test('the clock is that of the process unless a time is given', () => {
    const headers = createRateLimitHeaders(['x-ratelimit-epoch']);
    const before = Math.ceil(Date.now() / 1000);
    const epoch = Number(headers.states([{ policy: BURST, remaining: 0, resetMs: 0 }]).at(-1)?.[1]);
    expect(epoch).toBeGreaterThanOrEqual(before);
    expect(epoch).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
  });

  test('a window is at least a second', () => {
    expect(policiesOf('draft', { name: 'a', quota: 1, windowMs: 0 })).toStrictEqual({
      'RateLimit-Policy': '"a";q=1;w=1',
    });
    expect(policiesOf('draft', { name: 'a', quota: 1, windowMs: 1 })).toStrictEqual({
      'RateLimit-Policy': '"a";q=1;w=1',
    });
    expect(policiesOf('draft-7', { name: 'a', quota: 1, windowMs: 1_500 })).toStrictEqual({
      'RateLimit-Policy': '1;w=2',
    });
  });
});

describe('numbers', () => {
  test('are whole, not negative, and at most fifteen nines', () => {
    const remaining = (value: number) =>
      statesOf('draft', { policy: BURST, remaining: value }).RateLimit;
    expect(remaining(1.9)).toBe('"burst";r=1');
    expect(remaining(-3)).toBe('"burst";r=0');
    expect(remaining(-0)).toBe('"burst";r=0');
    expect(remaining(LARGEST)).toBe('"burst";r=999999999999999');
    expect(remaining(1e300)).toBe('"burst";r=999999999999999');
    expect(policiesOf('draft', { name: 'a', quota: 1e21 })['RateLimit-Policy']).toBe(
      '"a";q=999999999999999',
    );
  });

  test('that are not finite leave their item out', () => {
    for (const value of [Infinity, -Infinity, NaN]) {
      const none = { name: 'none', quota: value };
      expect(policiesOf('draft', none, BURST)).toStrictEqual({
        'RateLimit-Policy': '"burst";q=100;w=60',
      });
      expect(policiesOf('draft-7', { ...none, windowMs: 1 })).toStrictEqual({});
      expect(policiesOf('draft', { ...BURST, windowMs: value })).toStrictEqual({
        'RateLimit-Policy': '"burst";q=100',
      });
      expect(policiesOf('draft-7', { ...BURST, windowMs: value })).toStrictEqual({});
      expect(
        statesOf(
          'draft',
          { policy: none, remaining: 1 },
          { policy: BURST, remaining: value },
          { policy: DAILY, remaining: 1 },
        ),
      ).toStrictEqual({ RateLimit: '"daily";r=1' });
    }
  });

  const number = fc.oneof(
    fc.double(),
    fc.integer(),
    fc.constantFrom(LARGEST, LARGEST + 1, 2 ** 63),
  );

  test('of any kind give fields that a parser reads', () => {
    fc.assert(
      fc.property(
        number,
        number,
        number,
        number,
        fc.boolean(),
        (quota, windowMs, remaining, resetMs, refused) => {
          const policy = { name: 'a', quota, windowMs };
          const headers = createRateLimitHeaders(['draft']);
          for (const field of [
            ...headers.policies([policy]),
            ...headers.states([{ policy, remaining, resetMs, refused }]),
          ]) {
            for (const [, { q = 0, w = 1, r = 0, t = 1 }] of read(field)) {
              for (const value of [q, w, r, t] as number[]) {
                expect(Number.isInteger(value) && value >= 0 && value <= LARGEST).toBe(true);
              }
              expect(w).not.toBe(0);
              if (refused) expect(t).not.toBe(0);
            }
          }
          const old = createRateLimitHeaders(['draft-6', 'x-ratelimit']).states([
            { policy, remaining, resetMs, refused },
          ]);
          for (const [, value] of old) expect(value).toMatch(/^\d{1,15}$/);
        },
      ),
      { seed: 9651, numRuns: 3_000 },
    );
  });
});

describe('names', () => {
  test.each([
    ['burst', '"burst"'],
    ['', '""'],
    ['a "b" \\c', '"a \\"b\\" \\\\c"'],
    ['"', '"\\""'],
    ['\\', '"\\\\"'],
    ['100%', '"100%"'],
    ['a;q=1, b', '"a;q=1, b"'],
    ['Größe', '"Gr%C3%B6%C3%9Fe"'],
    ['日本', '"%E6%97%A5%E6%9C%AC"'],
    ['👍', '"%F0%9F%91%8D"'],
    ['a\r\nSet-Cookie: b', '"a%0D%0ASet-Cookie: b"'],
    ['\0\t\x7f', '"%00%09%7F"'],
    ['\ud800', '"%EF%BF%BD"'],
    ['ü"', '"%C3%BC\\""'],
  ])('%j is written as %s', (name, text) => {
    expect(policiesOf('draft', { name, quota: 1 })).toStrictEqual({
      'RateLimit-Policy': `${text};q=1`,
    });
    expect(statesOf('draft', { policy: { name, quota: 1 }, remaining: 1 })).toStrictEqual({
      RateLimit: `${text};r=1`,
    });
  });

  test('any one ends neither its string nor the header', () => {
    const name = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('"', '\\', '\n', ',', ';', '%', '\ud800', 'é') }),
    );
    fc.assert(
      fc.property(name, name, (first, second) => {
        const policies = [first, second].map((text) => ({ name: text, quota: 1 }));
        const headers = createRateLimitHeaders(['draft', 'x-ratelimit']);
        const fields = [
          ...headers.policies(policies),
          ...headers.states(policies.map((policy) => ({ policy, remaining: 2 }))),
        ];
        for (const [, value] of fields) expect(value).toMatch(/^[ -~]*$/);
        const [policy, state] = fields as [HeaderField, HeaderField];
        const names = read(policy).map(([item]) => item as string);
        expect(names).toHaveLength(2);
        expect(read(state).map(([item]) => item)).toStrictEqual(names);
        [first, second].forEach((text, i) => {
          if (!text.includes('%')) expect(decodeURIComponent(names[i]!)).toBe(text.toWellFormed());
        });
      }),
      { seed: 9651, numRuns: 3_000 },
    );
  });
});

describe('styles', () => {
  test('several are written one after the other', () => {
    const headers = createRateLimitHeaders(['draft', 'x-ratelimit']);
    const states = headers.states([{ policy: BURST, remaining: 1, resetMs: 1_000 }]);
    expect(states.map(([name]) => name)).toStrictEqual([
      'RateLimit',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
    ]);
  });

  test('none are no headers', () => {
    const headers = createRateLimitHeaders([]);
    expect(headers.policies([BURST])).toStrictEqual([]);
    expect(headers.states([{ policy: BURST, remaining: 1 }])).toStrictEqual([]);
  });

  test.each([
    [['draft-9'], 'Unknown header style "draft-9", did you mean "draft-8"?'],
    [['x-rate-limit'], 'did you mean "x-ratelimit"?'],
    [['nothing like it'], 'Unknown header style "nothing like it"'],
    [[undefined], 'Unknown header style "undefined"'],
    [
      ['draft', 'draft-7'],
      'Cannot use header styles "draft" and "draft-7" together: both write RateLimit-Policy',
    ],
    [['draft-6', 'draft-8'], '"draft-6" and "draft-8" together: both write RateLimit-Policy'],
    [['x-ratelimit', 'x-ratelimit-epoch'], 'both write X-RateLimit-Limit'],
    [['draft', 'draft'], 'Cannot use header styles "draft" and "draft" together'],
  ])('%j cannot be', (styles, message) => {
    const create = () => createRateLimitHeaders(styles as HeaderStyle[]);
    expect(create).toThrow(GuardConfigError);
    expect(create).toThrow(message);
  });
});
