import type { ContractOptions } from '../contract-layer.ts';
import type { Expected, HttpCase } from '../http-case.ts';
import { LARGE } from '../stage/standard-routes.ts';

const policies =
  '"global";q=100;w=60, "http";q=5;w=60, ' +
  '"http-concurrency";q=3;qu="concurrent-requests", "global-concurrency";q=9;qu="concurrent-requests"';

type Headers = NonNullable<Expected['headers']>;

const none: Headers = Object.fromEntries(
  ['ratelimit', 'ratelimit-policy', 'ratelimit-limit', 'x-ratelimit-limit'].map((name) => [
    name,
    null,
  ]),
);
const legacy: Headers = {
  'x-ratelimit-limit': '1',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': /: \d{1,2}$/,
};
const styles: readonly (readonly [NonNullable<ContractOptions['headers']>, Headers])[] = [
  [false, {}],
  [[], {}],
  ['draft', { ratelimit: /: "http";r=0;t=\d+$/, 'ratelimit-policy': '"http";q=1;w=60' }],
  ['draft-8', { ratelimit: /: "http"; r=0; t=\d+$/, 'ratelimit-policy': '"http"; q=1; w=60' }],
  ['draft-7', { ratelimit: /: limit=1, remaining=0, reset=\d+$/, 'ratelimit-policy': '1;w=60' }],
  [
    'draft-6',
    {
      'ratelimit-policy': '1;w=60',
      'ratelimit-limit': '1',
      'ratelimit-remaining': '0',
      'ratelimit-reset': /: \d+$/,
    },
  ],
  ['x-ratelimit', legacy],
  ['x-ratelimit-epoch', { ...legacy, 'x-ratelimit-reset': /: \d{10}$/ }],
  [['draft', 'x-ratelimit'], { ...legacy, ratelimit: /r=0/, 'ratelimit-policy': /"http"/ }],
];

/** Requests within their limits. */
export const admittedCases: readonly HttpCase[] = [
  {
    name: 'within its limits, a request is answered by its handler, and the reply says what is left',
    config: {
      global: { maxRequests: 100 },
      globalConcurrency: { maxConcurrent: 9 },
      defaultRateLimit: { maxRequests: 5 },
      defaultConcurrency: { maxConcurrent: 3 },
    },
    steps: [
      [
        '/later',
        {
          status: 201,
          headers: {
            'x-own': 'kept',
            'ratelimit-policy': policies,
            ratelimit: /^ratelimit: "global";r=99;t=\d+, "http";r=4;t=\d+$/,
            'retry-after': null,
          },
          body: 'later',
        },
      ],
      ['/ok', { status: 200, headers: { ratelimit: /r=98;.*r=3;/ }, body: 'ok' }],
      ['/missing', { status: 404, headers: { ratelimit: /r=97;.*r=2;/ } }],
    ],
  },
  {
    name: 'without limits, a reply says nothing of limits',
    steps: [
      ['/ok', { status: 200, headers: { 'ratelimit-policy': null, ratelimit: null }, body: 'ok' }],
    ],
  },
  {
    name: 'a disabled guard lets everything through',
    config: {
      enabled: false,
      defaultRateLimit: { maxRequests: 1 },
      ipFilter: { denyList: ['127.0.0.1'] },
    },
    steps: [
      ['/ok', { status: 200, headers: { ratelimit: null } }],
      ['/who', { status: 200, body: { guard: null, clientIp: '127.0.0.1' } }],
    ],
  },
  {
    name: 'HEAD, 204, 304 and large bodies give their slot back',
    config: {
      defaultRateLimit: { maxRequests: 50 },
      defaultConcurrency: { maxConcurrent: 1 },
      defaultTimeout: { executeMs: 60_000 },
    },
    steps: [
      [
        { method: 'HEAD', path: '/ok' },
        { status: 200, headers: { ratelimit: /r=49/ }, body: '' },
      ],
      [
        { method: 'HEAD', path: '/large' },
        { status: 200, body: '' },
      ],
      ['/no-content', { status: 204, headers: { ratelimit: /r=47/ }, body: '' }],
      ['/not-modified', { status: 304, headers: { ratelimit: /r=46/ }, body: '' }],
      ['/large', { status: 200, headers: { ratelimit: /r=45/ }, body: 'x'.repeat(LARGE) }],
    ],
  },
  {
    name: 'the same without anything to hold',
    config: { defaultRateLimit: { maxRequests: 50 } },
    steps: [
      [
        { method: 'HEAD', path: '/ok' },
        { status: 200, headers: { ratelimit: /r=49/ }, body: '' },
      ],
      ['/no-content', { status: 204, headers: { ratelimit: /r=48/ }, body: '' }],
      ['/not-modified', { status: 304, headers: { ratelimit: /r=47/ }, body: '' }],
      ['/large', { status: 200, headers: { ratelimit: /r=46/ }, body: 'x'.repeat(LARGE) }],
    ],
  },
  {
    name: 'a handler sees its guard',
    config: { defaultRateLimit: { maxRequests: 5 }, defaultConcurrency: { maxConcurrent: 1 } },
    steps: [['/who', { status: 200, body: { guard: { remaining: 4, isAborted: false } } }]],
  },
  {
    name: 'what a handler calls knows the client, also after a body was read',
    config: { defaultRateLimit: { maxRequests: 5 } },
    options: { trustProxy: true },
    steps: [
      [
        { path: '/who', headers: { 'x-forwarded-for': '2001:DB8::0:7' } },
        { status: 200, body: { clientIp: '2001:db8::7' } },
      ],
      [
        {
          method: 'POST',
          path: '/echo',
          headers: { 'x-forwarded-for': '203.0.113.7' },
          json: { amount: 1 },
        },
        { status: 200, body: { body: { amount: 1 }, clientIp: '203.0.113.7' } },
      ],
      [
        { method: 'POST', path: '/echo', json: { amount: 2 }, bodyAfterMs: 20 },
        { status: 200, body: { body: { amount: 2 }, clientIp: '127.0.0.1' } },
      ],
    ],
  },
  ...styles.map(([headers, expected]): HttpCase => ({
    name: `limits are said in the style that is asked for: ${JSON.stringify(headers)}`,
    config: { defaultRateLimit: { maxRequests: 1 } },
    options: { headers },
    steps: [
      ['/ok', { status: 200, headers: { ...none, ...expected, 'retry-after': null } }],
      ['/ok', { status: 429, headers: { ...none, ...expected, 'retry-after': /: [1-9]\d*$/ } }],
    ],
  })),
];
