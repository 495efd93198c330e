import type { Expected, HttpCase, Step } from '../http-case.ts';

const from = (forwardedFor: string | readonly string[], expected: Expected | number): Step => [
  { path: '/ok', headers: { 'x-forwarded-for': forwardedFor } },
  expected,
];

const denied = (code: string): Expected => ({
  status: 403,
  headers: {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'ratelimit-policy': null,
    ratelimit: null,
    'retry-after': null,
  },
  body: new RegExp(`^(?!.*(203\\.0\\.113|2001:db8|127\\.0\\.0)).*"code":"${code}"`),
});

/** Requests that the IP filter looks at. */
export const clientIpCases: readonly HttpCase[] = [
  {
    name: 'a denied address is refused in each of its forms, and nothing is counted',
    config: {
      defaultRateLimit: { maxRequests: 5 },
      ipFilter: { denyList: ['203.0.113.0/24', '2001:db8::/32'] },
    },
    options: { trustProxy: true },
    steps: [
      from('203.0.113.9', denied('IP_BLOCKED')),
      from('203.0.113.9:4711', denied('IP_BLOCKED')),
      from('2001:db8::9', denied('IP_BLOCKED')),
      from('[2001:db8::9]:80', denied('IP_BLOCKED')),
      from('::ffff:203.0.113.9', denied('IP_BLOCKED')),
      from('::FFFF:CB00:7109', denied('IP_BLOCKED')),
      from('198.51.100.1', { status: 200, headers: { ratelimit: /r=4/ } }),
    ],
  },
  {
    name: 'the address of the connection is denied, whatever a header says',
    config: { ipFilter: { denyList: ['127.0.0.1'] } },
    steps: [['/ok', denied('IP_BLOCKED')], from('198.51.100.1', denied('IP_BLOCKED'))],
  },
  {
    name: 'an allow list lets nobody else in',
    config: { ipFilter: { allowList: ['198.51.100.1', '2001:db8::/48'], defaultAction: 'deny' } },
    options: { trustProxy: true },
    steps: [
      from('198.51.100.1', 200),
      from('2001:db8::9', 200),
      from('203.0.113.9', denied('IP_NOT_ALLOWED')),
      from('unknown', denied('IP_NOT_ALLOWED')),
      ['/ok', denied('IP_NOT_ALLOWED')],
    ],
  },
  {
    name: 'what a client writes on the left of the header changes nothing',
    config: {
      defaultRateLimit: { maxRequests: 1, partitionBy: 'ip' },
      ipFilter: { denyList: ['203.0.113.9'] },
    },
    options: { trustProxy: true, trustedProxyDepth: 2 },
    steps: [
      from('203.0.113.9, 198.51.100.1, 192.0.2.1', 200),
      from('10.0.0.1, 198.51.100.1, 192.0.2.1', 429),
      from(['10.0.0.2', '198.51.100.1', '192.0.2.1'], 429),
      from('198.51.100.2, 203.0.113.9, 192.0.2.1', denied('IP_BLOCKED')),
    ],
  },
  {
    name: 'the proxies may be said by the guard, or by name',
    config: { ipFilter: { trustProxy: true, denyList: ['203.0.113.9'] } },
    options: { trustedProxies: ['127.0.0.1', '192.0.2.0/24'] },
    steps: [
      from('10.0.0.1, 203.0.113.9, 192.0.2.7', denied('IP_BLOCKED')),
      from('203.0.113.9, 198.51.100.1, 192.0.2.7', 200),
    ],
  },
  {
    name: 'another header may say who the client is',
    config: { ipFilter: { denyList: ['203.0.113.9'] } },
    options: { trustProxy: true, proxyHeader: 'cf-connecting-ip' },
    steps: [
      [{ path: '/ok', headers: { 'cf-connecting-ip': '203.0.113.9' } }, denied('IP_BLOCKED')],
      from('203.0.113.9', 200),
    ],
  },
];
