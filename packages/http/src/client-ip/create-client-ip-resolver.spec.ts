import fc from 'fast-check';
import { canonicalIp, GuardConfigError } from '@frontmcp/guard-core';

import type { ClientIpOptions } from './client-ip-options.js';
import { createClientIpResolver } from './create-client-ip-resolver.js';
import type { HeaderSource } from './header-source.js';

const PEER = '10.0.0.9';
const VARIABLE = 'FRONTMCP_TRUST_PROXY';

type Lines = string | readonly string[];
type Vector = readonly [name: string, lines: Lines, answer: string | undefined, more?: Given];

interface Given extends ClientIpOptions {
  /** The peer, {@link PEER} unless it is said. */
  readonly peer?: string | undefined;
}

/** `X-Forwarded-For`, one proxy trusted unless something else is said. */
const xForwardedForVectors: readonly Vector[] = [
  ['case 59: takes the entry that the proxy added', '1.1.1.1, 8.8.4.4', '8.8.4.4'],
  ['case 60: joins all lines', ['1.1.1.1', '8.8.4.4'], '8.8.4.4'],
  [
    'case 60: counts over lines',
    ['1.1.1.1, 2.2.2.2', '8.8.4.4'],
    '2.2.2.2',
    { trustedProxyDepth: 2 },
  ],
  ['case 61: an IPv4 port', '177.139.233.139:17085', '177.139.233.139'],
  ['case 62: an IPv6 port', '[240e:318:2f4a:de56::240]:38792', '240e:318:2f4a:de56::240'],
  ['case 62: brackets', '[::1]', '::1'],
  ['case 64: a port over 65535', '8.8.4.4:99999', undefined],
  ['case 64: the last port', '8.8.4.4:65535', '8.8.4.4'],
  ['case 64: one more', '8.8.4.4:65536', undefined],
  ['case 64: an empty port', '8.8.4.4:', undefined],
  ['case 64: no number', '8.8.4.4:nope', undefined],
  ['case 64: an empty IPv6 port', '[::1]:', undefined],
  ['case 64: an IPv6 port over 65535', '[::1]:65536', undefined],
  ['a port with a sign', '8.8.4.4:+80', undefined],
  ['a port of six digits', '8.8.4.4:000080', undefined],
  ['an obfuscated port, which only RFC 7239 has', '8.8.4.4:_http', undefined],
  ['two ports', '8.8.4.4:80:80', undefined],
  ['case 68: unknown counts, and nothing takes its place', '1.1.1.1, unknown', undefined],
  ['case 68: so does a hidden name', '1.1.1.1, _hidden', undefined],
  ['a malformed entry counts', '1.1.1.1, 8.8.4', undefined],
  ['a malformed entry on the left is nobody’s business', 'nonsense"\\, 8.8.4.4', '8.8.4.4'],
  [
    'an unknown proxy on the right does not move the position',
    '8.8.4.4, unknown',
    '8.8.4.4',
    { trustedProxyDepth: 2 },
  ],
  ['IPv4-mapped becomes IPv4', '::ffff:8.8.4.4', '8.8.4.4'],
  ['IPv4-mapped in hexadecimal', '::FFFF:808:404', '8.8.4.4'],
  ['IPv4-mapped with a port', '[::ffff:8.8.4.4]:80', '8.8.4.4'],
  ['IPv6 in another spelling', '2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['a zone', 'fe80::1%eth0', 'fe80::1'],
  ['a zone in brackets', '[fe80::1%25eth0]:80', 'fe80::1'],
  ['an empty zone', 'fe80::1%', undefined],
  ['a zone that is none', '[fe80::1%eth 0]', undefined],
  ['IPv4 with a zone', '8.8.4.4%eth0', undefined],
  ['IPv4 with a zone in brackets', '[8.8.4.4%a:b]', undefined],
  ['IPv4 with a zone of colons', '8.8.4.4%a:b:c', undefined],
  ['IPv4 in brackets', '[8.8.4.4]', undefined],
  ['a bracket that is not closed', '[::1', undefined],
  ['a bracket that is not opened', '::1]', undefined],
  ['text after a bracket', '[::1]80', undefined],
  ['nothing in brackets', '[]', undefined],
  ['a leading zero', '08.8.4.4', undefined],
  ['one number', '134743044', undefined],
  ['a quoted address', '"8.8.4.4"', undefined],
  ['a host name', 'client.example', undefined],
  ['a Unix socket, as nginx writes it', 'unix:', undefined],
  ['a prefix', '8.8.4.4/32', undefined],
  ['no space after the comma', '1.1.1.1,8.8.4.4', '8.8.4.4'],
  ['spaces and tabs around an entry', '1.1.1.1 ,\t 8.8.4.4 \t', '8.8.4.4'],
  ['a no-break space is not white space of HTTP', '1.1.1.1,\u00a08.8.4.4', undefined],
  ['RFC 9110: an empty entry of a client', ', ,1.1.1.1,,8.8.4.4', '8.8.4.4'],
  ['RFC 9110: an empty entry at the position', '1.1.1.1,', undefined],
  ['RFC 9110: an empty entry counts', '1.1.1.1, , 8.8.4.4', undefined, { trustedProxyDepth: 2 }],
  ['RFC 9110: only empty entries', ',', undefined],
  ['RFC 9110: an empty line joins as an empty entry', ['', '8.8.4.4'], '8.8.4.4'],
  ['a blank header says nothing', ' \t', PEER],
  ['an empty header says nothing', '', PEER],
  ['a header without lines says nothing', [], PEER],
  ['two proxies', '1.1.1.1, 8.8.4.4, 10.0.0.1', '8.8.4.4', { trustedProxyDepth: 2 }],
  ['three proxies', '8.8.4.4, 10.0.0.1, 10.0.0.2', '8.8.4.4', { trustedProxyDepth: 3 }],
  [
    'five proxies',
    '1.1.1.1, 2.2.2.2, 8.8.4.4, 10.0.0.1, 10.0.0.2, 10.0.0.3, 10.0.0.4',
    '8.8.4.4',
    { trustedProxyDepth: 5 },
  ],
  ['fewer entries than proxies', '8.8.4.4, 10.0.0.1', '8.8.4.4', { trustedProxyDepth: 5 }],
  ['nginx $proxy_add_x_forwarded_for', '6.6.6.6, 203.0.113.7', '203.0.113.7'],
  [
    'Envoy with xff_num_trusted_hops 1',
    '203.0.113.7, 10.1.2.3',
    '203.0.113.7',
    { trustedProxyDepth: 2 },
  ],
  ['AWS ALB with client ports', '198.51.100.2:4711', '198.51.100.2'],
  [
    'AWS ALB with client ports, IPv6',
    '[2001:db8:85a3::8a2e:370:7334]:8080',
    '2001:db8:85a3::8a2e:370:7334',
  ],
  [
    'CloudFront before an ALB',
    '6.6.6.6, 203.0.113.7, 130.176.1.1',
    '203.0.113.7',
    { trustedProxyDepth: 2 },
  ],
  ['Azure Application Gateway with port', '6.6.6.6, 203.0.113.7:58412', '203.0.113.7'],
  [
    'Google Cloud load balancer, which adds two',
    '6.6.6.6,203.0.113.7,35.191.0.1',
    '203.0.113.7',
    { trustedProxyDepth: 2 },
  ],
  ['Traefik', '2001:db8::7', '2001:db8::7'],
  [
    'IPv6 with a port and without brackets, when it is an address',
    '2001:db8::1:443',
    '2001:db8::1:443',
  ],
  ['IPv6 with a port and without brackets, when it is none', '1:2:3:4:5:6:7:8:443', undefined],
];

/** The same header, with the proxies listed. */
const trustedVectors: readonly Vector[] = [
  ['case 70: a mapped peer is the IPv4 address', '8.8.4.4', '8.8.4.4', { peer: '::ffff:10.0.0.9' }],
  ['takes the first from the right that is no proxy', '1.1.1.1, 8.8.4.4, 10.2.3.4', '8.8.4.4'],
  ['a peer that is no proxy says nothing', '1.1.1.1', '9.9.9.9', { peer: '9.9.9.9' }],
  ['nor does an unknown peer', '1.1.1.1', undefined, { peer: undefined }],
  ['nor does one that is no address', '1.1.1.1', undefined, { peer: 'unix:' }],
  ['the leftmost when all are proxies', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['stops at an unknown entry', '1.1.1.1, unknown, 10.0.0.2', undefined],
  ['case 68: stops at an obfuscated one', '1.1.1.1, _proxy, 10.0.0.2', undefined],
  ['stops at an empty one', '1.1.1.1, , 10.0.0.2', undefined],
  ['a mapped proxy in the list', '8.8.4.4, ::ffff:10.0.0.2', '8.8.4.4'],
  ['a proxy with a port', '8.8.4.4, 10.0.0.2:80', '8.8.4.4'],
  ['an IPv6 proxy', '8.8.4.4, 2001:db8:f::1', '8.8.4.4'],
  [
    'more proxies than a number would have said',
    '8.8.4.4, 10.0.0.1, 10.0.0.2, 10.0.0.3, 10.0.0.4',
    '8.8.4.4',
  ],
  ['no header', [], PEER],
];
const trustedProxies = ['10.0.0.0/8', '2001:db8:f::/48'];

const forwardedVectors: readonly Vector[] = [
  ['case 66: a quote that a client opened', ['for=injected;by="', 'for=8.8.4.4'], '8.8.4.4'],
  ['case 66: in one line', 'for=injected;by=", for=8.8.4.4', '8.8.4.4'],
  ['case 66: before a quoted address', 'for=1.1.1.1;by=", for="[2001:db8::1]:80"', '2001:db8::1'],
  ['case 66: with an escape', 'for="\\, for="8.8.4.4"', '8.8.4.4'],
  [
    'case 66: two proxies',
    'x=", for=8.8.4.4, for="10.0.0.1:80"',
    '8.8.4.4',
    { trustedProxyDepth: 2 },
  ],
  ['case 67: IPv6 with a port', 'For="[2001:db8:cafe::17]:4711"', '2001:db8:cafe::17'],
  ['case 67: any case of the name', 'FOR=8.8.4.4;Proto=http', '8.8.4.4'],
  ['case 68: hidden', 'for=1.1.1.1, for=_hidden', undefined],
  ['case 68: unknown', 'for=1.1.1.1, for=unknown', undefined],
  ['case 68: unknown with a port', 'for="unknown:80"', undefined],
  [
    'case 68: a hidden client of two proxies',
    'for=_hidden, for=10.0.0.1',
    undefined,
    { trustedProxyDepth: 2 },
  ],
  [
    'case 68: a hidden proxy counts',
    'for=8.8.4.4, for=_SEVKISEK',
    '8.8.4.4',
    { trustedProxyDepth: 2 },
  ],
  ['RFC 7239 section 4: obfuscated', 'for="_gazonk"', undefined],
  ['RFC 7239 section 4: pairs', 'for=192.0.2.60;proto=http;by=203.0.113.43', '192.0.2.60'],
  ['RFC 7239 section 4: two elements', 'for=192.0.2.43, for=198.51.100.17', '198.51.100.17'],
  [
    'RFC 7239 section 4: the first of two',
    'for=192.0.2.43, for=198.51.100.17',
    '192.0.2.43',
    { trustedProxyDepth: 2 },
  ],
  ['RFC 7239 section 6: a port', 'for="192.0.2.43:47011"', '192.0.2.43'],
  ['RFC 7239 section 6: an obfuscated port', 'for="192.0.2.43:_http-1.x"', '192.0.2.43'],
  ['RFC 7239 section 6: an obfuscated port of IPv6', 'for="[2001:db8::1]:_p"', '2001:db8::1'],
  ['an obfuscated port without a name', 'for="192.0.2.43:_"', undefined],
  ['an obfuscated port that is none', 'for="192.0.2.43:_a b"', undefined],
  [
    'RFC 7239 section 7.1: lines and elements',
    ['for=192.0.2.43', 'for="[2001:db8:cafe::17]", for=198.51.100.17'],
    '192.0.2.43',
    { trustedProxyDepth: 3 },
  ],
  [
    'RFC 7239 section 7.1: the middle',
    ['for=192.0.2.43', 'for="[2001:db8:cafe::17]", for=198.51.100.17'],
    '2001:db8:cafe::17',
    { trustedProxyDepth: 2 },
  ],
  ['case 64: a malformed port', 'for="8.8.4.4:99999"', undefined],
  [
    'a comma and a semicolon in quotes',
    'for=1.1.1.1, for=8.8.4.4;host="a,b;for=6.6.6.6"',
    '8.8.4.4',
  ],
  ['an escaped quote in quotes', 'for=1.1.1.1, host="a\\", for=6.6.6.6";for=8.8.4.4', '8.8.4.4'],
  ['an escaped backslash at the end of quotes', 'for=1.1.1.1, host="a\\\\";for=8.8.4.4', '8.8.4.4'],
  ['escapes in an address', 'for="8\\.8.4\\.4"', '8.8.4.4'],
  ['for is not the first pair', 'proto=https;by=_x;for=8.8.4.4', '8.8.4.4'],
  ['space around semicolons', 'for=8.8.4.4 ; proto=http', '8.8.4.4'],
  ['an empty pair', ';for=8.8.4.4;;', '8.8.4.4'],
  ['IPv4 and a port without quotes', 'for=8.8.4.4:80', '8.8.4.4'],
  ['IPv6 without quotes', 'for=[2001:db8::1]:80', '2001:db8::1'],
  ['IPv6 in quotes and without brackets', 'for="2001:db8::1"', '2001:db8::1'],
  ['for twice', 'for=1.1.1.1;for=8.8.4.4', undefined],
  ['no for', 'for=1.1.1.1, proto=https', undefined],
  ['another name that ends in for', 'xfor=8.8.4.4', undefined],
  ['an empty value', 'for=', undefined],
  ['an empty value of another name', 'for=8.8.4.4;host=', undefined],
  ['no equals sign', 'for', undefined],
  ['space around the equals sign', 'for = 8.8.4.4', undefined],
  ['a value of two words', 'for=8.8.4.4 9.9.9.9', undefined],
  ['text after quotes', 'for="8.8.4.4"x', undefined],
  ['a quote that the proxy never closed', 'for=1.1.1.1, for="8.8.4.4', undefined],
  [
    'a quote that the proxy never closed, after a quote of the client',
    'for=1.1.1.1;x=", for="8.8.4.4',
    undefined,
  ],
  ['a quote that ends in an escape', 'for="8.8.4.4\\"', undefined],
  ['X-Forwarded-For in the wrong header', '8.8.4.4', undefined],
  ['an empty element at the position', 'for=8.8.4.4,', undefined],
  ['an empty element counts', 'for=6.6.6.6,,for=10.0.0.1', undefined, { trustedProxyDepth: 2 }],
  ['a blank header says nothing', ' ', PEER],
  ['AWS API Gateway', 'by=3.120.1.1;for=203.0.113.7;host=api.example;proto=https', '203.0.113.7'],
  [
    'Spring Cloud Gateway, which quotes',
    'proto=http;host="localhost:8080";for="203.0.113.7:52341"',
    '203.0.113.7',
  ],
  [
    'trusted proxies',
    'for=1.1.1.1;by=", for=8.8.4.4, for="10.0.0.2:80"',
    '8.8.4.4',
    { trustedProxies },
  ],
  ['trusted proxies, a hidden one', 'for=8.8.4.4, for=_lb', undefined, { trustedProxies }],
];

const singleVectors: readonly (readonly [string, string, Lines, string | undefined, Given?])[] = [
  ['Cloudflare', 'CF-Connecting-IP', '203.0.113.7', '203.0.113.7'],
  ['Cloudflare, IPv6', 'cf-connecting-ip', '2001:DB8::7', '2001:db8::7'],
  ['nginx', 'x-real-ip', ' 203.0.113.7 ', '203.0.113.7'],
  ['Fly', 'fly-client-ip', '203.0.113.7', '203.0.113.7'],
  ['Azure with a port', 'x-azure-clientip', '203.0.113.7:4711', '203.0.113.7'],
  ['two addresses', 'x-real-ip', '1.1.1.1, 203.0.113.7', undefined],
  ['two lines', 'x-real-ip', ['1.1.1.1', '203.0.113.7'], undefined],
  ['unknown', 'x-real-ip', 'unknown', undefined],
  ['empty', 'x-real-ip', '', PEER],
  [
    'a number of proxies says nothing',
    'x-real-ip',
    '203.0.113.7',
    '203.0.113.7',
    { trustedProxyDepth: 3 },
  ],
  ['from a trusted proxy', 'x-real-ip', '203.0.113.7', '203.0.113.7', { trustedProxies }],
  [
    'from somebody else',
    'x-real-ip',
    '203.0.113.7',
    '9.9.9.9',
    { trustedProxies, peer: '9.9.9.9' },
  ],
  ['the name of an object’s own method', 'constructor', '203.0.113.7', '203.0.113.7'],
];

/** Jest takes a parameter beyond those of its row for a callback. */
function complete([name, lines, expected, more = {}]: Vector): readonly [
  string,
  Lines,
  string | undefined,
  Given,
] {
  return [name, lines, expected, more];
}

function answer(header: string, lines: Lines, more: Given = {}): (string | undefined)[] {
  const { peer, ...options } = { peer: PEER, ...more };
  const resolve = createClientIpResolver({ trustProxy: true, proxyHeader: header, ...options });
  const web = new Headers();
  for (const line of [lines].flat()) web.append(header, line);
  return [resolve(peer, { [header]: lines }), resolve(peer, web)];
}

beforeEach(() => {
  delete process.env.FRONTMCP_TRUST_PROXY;
});

afterAll(() => {
  delete process.env.FRONTMCP_TRUST_PROXY;
});

describe('X-Forwarded-For', () => {
  test.each(xForwardedForVectors.map(complete))('%s', (_name, lines, expected, more) => {
    const [record] = answer('x-forwarded-for', lines, more);
    expect(record).toBe(expected);
  });

  test.each(trustedVectors.map(complete))('trusted proxies: %s', (_name, lines, expected, more) => {
    const [record] = answer('x-forwarded-for', lines, { trustedProxies, ...more });
    expect(record).toBe(expected);
  });
});

test.each(forwardedVectors.map(complete))('Forwarded: %s', (_name, lines, expected, more) => {
  const [record] = answer('forwarded', lines, more);
  expect(record).toBe(expected);
});

test.each(
  singleVectors.map(([name, header, ...rest]) => [header, ...complete([name, ...rest])] as const),
)('%s, a header of one address: %s', (header, _name, lines, expected, more) => {
  const [record] = answer(header, lines, more);
  expect(record).toBe(expected);
});

test('there are more than 60 vectors', () => {
  const tables = [xForwardedForVectors, trustedVectors, forwardedVectors, singleVectors];
  expect(tables.flat().length).toBeGreaterThan(60);
});

test('web headers give the same answers as a record', () => {
  const vectors = [
    ...xForwardedForVectors.map((vector) => ['x-forwarded-for', ...vector] as const),
    ...forwardedVectors.map((vector) => ['forwarded', ...vector] as const),
  ];
  for (const [header, name, lines, expected, more] of vectors) {
    const [, web] = answer(header, lines, more);
    expect([name, web]).toStrictEqual([name, expected]);
  }
});

describe('the sources of headers', () => {
  const resolve = createClientIpResolver({ trustProxy: true });

  test.each<[string, HeaderSource, string | undefined]>([
    ['lower case', { 'x-forwarded-for': '8.8.4.4' }, '8.8.4.4'],
    ['as it came', { 'X-Forwarded-For': '8.8.4.4' }, '8.8.4.4'],
    ['any case', { host: 'a', 'X-FORWARDED-for': ['1.1.1.1', '8.8.4.4'] }, '8.8.4.4'],
    ['not there', { host: 'a', 'x-forwarded-foo': '8.8.4.4', 'x-forwarded-for': undefined }, PEER],
    ['only the one header', { forwarded: 'for=1.1.1.1', 'x-real-ip': '1.1.1.1' }, PEER],
    ['a header called get', { get: '1.1.1.1', 'x-forwarded-for': '8.8.4.4' }, '8.8.4.4'],
    ['two spellings', { 'x-forwarded-for': '1.1.1.1', 'X-Forwarded-For': '8.8.4.4' }, undefined],
    [
      'two spellings, the other first',
      { 'X-Forwarded-For': '8.8.4.4', 'x-forwarded-for': '1.1.1.1' },
      undefined,
    ],
    [
      'the second spelling is not there',
      { 'x-forwarded-for': '8.8.4.4', 'X-Forwarded-For': undefined },
      '8.8.4.4',
    ],
    ['what an object inherits is no header', Object.create({ 'x-forwarded-for': '1.1.1.1' }), PEER],
    ['a map', new Map([['x-forwarded-for', '8.8.4.4']]), '8.8.4.4'],
    ['what is no text', { 'x-forwarded-for': 8 } as unknown as HeaderSource, PEER],
  ])('%s', (_name, headers, expected) => {
    expect(resolve(PEER, headers)).toBe(expected);
  });

  test('of Forwarded, X-Forwarded-For is not read', () => {
    const headers = { 'x-forwarded-for': '1.1.1.1', forwarded: 'for=8.8.4.4' };
    expect(
      createClientIpResolver({ trustProxy: true, proxyHeader: 'Forwarded' })(PEER, headers),
    ).toBe('8.8.4.4');
  });
});

describe('the peer', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::ffff:192.0.2.1%eth0', '192.0.2.1'],
    ['192.0.2.1:443', '192.0.2.1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['2001:DB8:0::1', '2001:db8::1'],
    [' 192.0.2.1', undefined],
    ['', undefined],
    ['localhost', undefined],
    [undefined, undefined],
  ])('of %j is %j', (peer, expected) => {
    expect(createClientIpResolver()(peer, {})).toBe(expected);
    expect(createClientIpResolver({ trustProxy: true })(peer, {})).toBe(expected);
  });

  test('an unknown peer does not matter when a number of proxies is trusted', () => {
    const resolve = createClientIpResolver({ trustProxy: true });
    expect(resolve(undefined, { 'x-forwarded-for': '8.8.4.4' })).toBe('8.8.4.4');
  });
});

describe('trust', () => {
  const headers = { 'x-forwarded-for': '1.1.1.1, 8.8.4.4, 10.0.0.1' };

  test('[IP-16] [GM-27] trustProxy true takes the client from X-Forwarded-For, false the peer', () => {
    expect(createClientIpResolver({ trustProxy: true })(PEER, headers)).toBe('10.0.0.1');
    expect(createClientIpResolver({ trustProxy: false })(PEER, headers)).toBe(PEER);
    expect(createClientIpResolver()(PEER, headers)).toBe(PEER);
  });

  test('without trust, headers are not even looked at', () => {
    const get = jest.fn();
    expect(createClientIpResolver()(PEER, { get })).toBe(PEER);
    expect(get).not.toHaveBeenCalled();
  });

  test('[IP-17] [GM-28] trustedProxyDepth says how many proxies append, 1 by default', () => {
    const depth = (trustedProxyDepth?: number) =>
      createClientIpResolver({ trustProxy: true, trustedProxyDepth })(PEER, headers);
    expect([depth(), depth(1), depth(2), depth(3)]).toStrictEqual([
      '10.0.0.1',
      '10.0.0.1',
      '8.8.4.4',
      '1.1.1.1',
    ]);
  });

  test.each(['1', 'true', 'yes', 'on', 'TRUE', 'Yes'])(
    '[GM-27] %s in the environment trusts',
    (value) => {
      process.env[VARIABLE] = value;
      expect(createClientIpResolver({ trustedProxyDepth: 2 })(PEER, headers)).toBe('8.8.4.4');
      expect(createClientIpResolver({ trustProxy: false })(PEER, headers)).toBe('10.0.0.1');
    },
  );

  test.each(['', '0', 'false', 'no', 'off', 'OFF'])(
    '[GM-27] %j in the environment does not',
    (value) => {
      process.env[VARIABLE] = value;
      expect(createClientIpResolver()(PEER, headers)).toBe(PEER);
      expect(createClientIpResolver({ trustProxy: true })(PEER, headers)).toBe('10.0.0.1');
    },
  );

  test.each(['2', 'maybe', ' true', 'ｔｒｕｅ'])('%j in the environment is an error', (value) => {
    process.env[VARIABLE] = value;
    expect(() => createClientIpResolver()).toThrow(GuardConfigError);
    expect(() => createClientIpResolver()).toThrow(`${VARIABLE} ${JSON.stringify(value)}`);
    expect(() => createClientIpResolver({ trustProxy: true })).not.toThrow();
  });

  test('the environment is read once', () => {
    process.env[VARIABLE] = 'true';
    const resolve = createClientIpResolver();
    process.env[VARIABLE] = 'maybe';
    expect(resolve(PEER, headers)).toBe('10.0.0.1');
  });

  test('a runtime without process does not trust', () => {
    const { process: kept } = globalThis;
    const answers: unknown[] = [];
    for (const process of [undefined, {}]) {
      Object.defineProperty(globalThis, 'process', {
        value: process,
        configurable: true,
        writable: true,
      });
      answers.push(createClientIpResolver()(PEER, headers));
    }
    Object.defineProperty(globalThis, 'process', {
      value: kept,
      configurable: true,
      writable: true,
    });
    expect(answers).toStrictEqual([PEER, PEER]);
  });
});

describe('options that cannot be followed', () => {
  test.each<[object, string]>([
    [{ trustedProxyDepth: 0 }, 'trustedProxyDepth must be a positive integer, got 0'],
    [{ trustedProxyDepth: -1 }, 'got -1'],
    [{ trustedProxyDepth: 1.5 }, 'got 1.5'],
    [{ trustedProxyDepth: Infinity }, 'got Infinity'],
    [{ trustedProxyDepth: NaN }, 'got NaN'],
    [{ trustedProxyDepth: '2' }, 'got "2"'],
    [{ trustProxy: 1 }, 'trustProxy must be true or false, got 1'],
    [{ trustProxy: 'true' }, 'got "true"'],
    [{ trustProxy: null }, 'got null'],
    [
      { trustedProxies: ['10.0.0.0/8'], trustedProxyDepth: 2 },
      'trustedProxyDepth 2 together with trustedProxies',
    ],
    [
      { trustedProxies: '10.0.0.0/8' },
      'trustedProxies must be an array of addresses and CIDR blocks, got string',
    ],
    [{ trustedProxies: null }, 'trustedProxies must be an array'],
    [
      { trustedProxies: ['10.0.0.1', '10.0.0.0/33'] },
      'Cannot parse CIDR "10.0.0.0/33" in trustedProxies[1]: prefix is over 32',
    ],
    [{ trustedProxies: ['lb.example', '1.2.3'] }, 'trustedProxies[1]: "1.2.3" is not'],
    [
      { trustedProxies: [7] },
      'Cannot parse rule in trustedProxies[0]: it is of type number, not a string',
    ],
    [{ proxyHeader: '' }, 'proxyHeader must be the name of a header, got ""'],
    [{ proxyHeader: 'x forwarded for' }, 'got "x forwarded for"'],
    [{ proxyHeader: 7 }, 'got 7'],
    [{ trustedProxyDept: 2 }, 'did you mean "trustedProxyDepth"?'],
  ])('%j', (options, message) => {
    for (const trustProxy of [true, false]) {
      const create = () => createClientIpResolver({ trustProxy, ...options });
      expect(create).toThrow(GuardConfigError);
      expect(create).toThrow(message);
    }
  });

  test('an empty list of proxies trusts nobody', () => {
    const resolve = createClientIpResolver({ trustProxy: true, trustedProxies: [] });
    expect(resolve(PEER, { 'x-forwarded-for': '8.8.4.4' })).toBe(PEER);
  });

  test('a list of proxies is believed without trustProxy, and with it off', () => {
    for (const trustProxy of [undefined, false]) {
      const resolve = createClientIpResolver({ trustProxy, trustedProxies: [PEER] });
      expect(resolve(PEER, { 'x-forwarded-for': '8.8.4.4' })).toBe('8.8.4.4');
      expect(resolve('9.9.9.9', { 'x-forwarded-for': '8.8.4.4' })).toBe('9.9.9.9');
    }
  });

  test('an environment that may not be read says nothing', () => {
    const { env } = process;
    const denied = new Proxy(env, {
      get() {
        throw new Error('denied');
      },
    });
    try {
      Object.defineProperty(process, 'env', { value: denied, configurable: true, writable: true });
      expect(createClientIpResolver()(PEER, { 'x-forwarded-for': '8.8.4.4' })).toBe(PEER);
    } finally {
      Object.defineProperty(process, 'env', { value: env, configurable: true, writable: true });
    }
  });

  test('undefined options are defaults', () => {
    const resolve = createClientIpResolver({
      trustProxy: undefined,
      trustedProxyDepth: undefined,
      trustedProxies: undefined,
      proxyHeader: undefined,
    });
    expect(resolve(PEER, { 'x-forwarded-for': '8.8.4.4' })).toBe(PEER);
  });
});

describe('what a client may send', () => {
  const address = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.ipV4().map((ip) => `${ip}:8080`),
    fc.ipV6().map((ip) => `[${ip}]:8080`),
    fc.constantFrom('unknown', '_hidden', '', '10.0.0.1'),
  );
  const element = fc.oneof(
    address.map((text) => `for="${text}"`),
    fc.ipV4().map((ip) => `for=${ip}`),
    fc.ipV4().map((ip) => `host="a,\\"b;for=6.6.6.6\\\\";For="${ip}";proto=https`),
    fc.constantFrom('for=unknown', 'proto=http', ''),
  );
  const text = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.string({ unit: fc.constantFrom(...'"\\,;=for[]:. 1%_\t'.split('')), maxLength: 40 }),
    fc.array(fc.oneof(address, element), { maxLength: 4 }).map((parts) => parts.join(',')),
  );
  const kinds = [
    { proxyHeader: 'x-forwarded-for', entry: address },
    { proxyHeader: 'forwarded', entry: element },
  ];

  test.each([...kinds, { proxyHeader: 'x-real-ip' }])(
    'never throws and gives a canonical address: $proxyHeader',
    ({ proxyHeader }) => {
      fc.assert(
        fc.property(
          text,
          fc.array(text, { maxLength: 3 }),
          fc.integer({ min: 1, max: 4 }),
          (one, more, trustedProxyDepth) => {
            const options = { trustProxy: true, proxyHeader };
            for (const trust of [
              { trustedProxyDepth },
              { trustedProxies: ['0.0.0.0/1', '::/1'] },
            ]) {
              const resolve = createClientIpResolver({ ...options, ...trust });
              const client = resolve(one, { [proxyHeader]: [one, ...more] });
              expect(client === undefined || canonicalIp(client) === client).toBe(true);
            }
          },
        ),
        { seed: 7239, numRuns: 3_000 },
      );
    },
  );

  test.each(kinds)(
    'on the left of the proxies changes nothing: $proxyHeader',
    ({ proxyHeader, entry }) => {
      fc.assert(
        fc.property(
          text,
          fc.array(entry, { minLength: 1, maxLength: 4 }),
          fc.boolean(),
          (left, added, isLine) => {
            const resolve = createClientIpResolver({
              trustProxy: true,
              proxyHeader,
              trustedProxyDepth: added.length,
            });
            const tail = added.join(', ');
            // A header of nothing but white space is no header; with something before it, it is an empty entry.
            const alone = resolve(PEER, { [proxyHeader]: `,${tail}` });
            expect(
              resolve(PEER, { [proxyHeader]: isLine ? [left, tail] : `${left}, ${tail}` }),
            ).toBe(alone);
          },
        ),
        { seed: 7239, numRuns: 5_000 },
      );
    },
  );

  test.each(kinds)(
    'on the left of an address that is no proxy changes nothing: $proxyHeader',
    ({ proxyHeader }) => {
      const write =
        proxyHeader === 'forwarded' ? (ip: string) => `for="${ip}"` : (ip: string) => ip;
      const resolve = createClientIpResolver({ trustProxy: true, proxyHeader, trustedProxies });
      fc.assert(
        fc.property(text, fc.nat({ max: 3 }), (left, proxies) => {
          const tail = ['8.8.4.4', ...Array.from({ length: proxies }, (_, i) => `10.0.0.${i}`)].map(
            write,
          );
          expect(resolve(PEER, { [proxyHeader]: `${left},${tail.join(',')}` })).toBe('8.8.4.4');
        }),
        { seed: 7239, numRuns: 3_000 },
      );
    },
  );
});

describe('the cost of a long header', () => {
  const LENGTH = 1 << 17;

  const { charCodeAt, indexOf, lastIndexOf, slice } = String.prototype;
  let count = 0;
  /** The methods with which text is read, each counting how many characters it looks at or copies. */
  const counting = {
    charCodeAt(this: string, at: number) {
      count++;
      return charCodeAt.call(this, at);
    },
    indexOf(this: string, what: string, from = 0) {
      const found = indexOf.call(this, what, from);
      count += (found === -1 ? this.length : found) - from + 1;
      return found;
    },
    lastIndexOf(this: string, what: string, from = this.length) {
      const found = lastIndexOf.call(this, what, from);
      count += from - found;
      return found;
    },
    slice(this: string, from?: number, to?: number) {
      const part = slice.call(this, from, to);
      count += part.length;
      return part;
    },
  };

  function countCharacters(work: () => unknown): number {
    count = 0;
    Object.assign(String.prototype, counting);
    try {
      work();
    } finally {
      Object.assign(String.prototype, { charCodeAt, indexOf, lastIndexOf, slice });
    }
    return count;
  }

  const repeat = (part: string, end = '') => part.repeat(Math.floor(LENGTH / part.length)) + end;
  const hostile: [string, string, string][] = [
    ['x-forwarded-for', 'commas', repeat(',')],
    ['x-forwarded-for', 'trusted entries', repeat('10.0.0.1,', '10.0.0.1')],
    ['x-forwarded-for', 'white space', repeat(' ')],
    ['x-forwarded-for', 'one long entry', repeat('1')],
    ['x-forwarded-for', 'a long zone', `fe80::1%${repeat('z')}`],
    ['x-forwarded-for', 'brackets', repeat('[')],
    ['forwarded', 'commas', repeat(',')],
    ['forwarded', 'trusted elements', repeat('for=10.0.0.1,', 'for=10.0.0.1')],
    ['forwarded', 'quotes', repeat('"')],
    ['forwarded', 'backslashes', `${repeat('\\')}"a"`],
    ['forwarded', 'escaped quotes', `for="${repeat('\\"')}"`],
    ['forwarded', 'backslashes between quotes', repeat('"\\\\\\', '"')],
    ['forwarded', 'semicolons', repeat(';')],
    ['forwarded', 'pairs', repeat('a=b;', 'for=8.8.4.4')],
    ['forwarded', 'white space', repeat(' ', 'for')],
    ['forwarded', 'an obfuscated port', `for="1.1.1.1:_${repeat('a')}!"`],
    ['x-real-ip', 'white space', repeat(' ', '1')],
  ];

  test.each(hostile)('%s of %s is linear', (proxyHeader, _name, value) => {
    for (const trust of [{ trustedProxyDepth: LENGTH }, { trustedProxies }]) {
      const resolve = createClientIpResolver({ trustProxy: true, proxyHeader, ...trust });
      const headers = { [proxyHeader]: value };
      const count = countCharacters(() => resolve(PEER, headers));
      expect(count).toBeLessThan(value.length * 8);
    }
  });

  test('what stands on the left of the answer is not looked at', () => {
    const resolve = createClientIpResolver({ trustProxy: true });
    const headers = { 'x-forwarded-for': repeat('1.1.1.1,', '8.8.4.4') };
    // The text itself is trimmed by its ends.
    expect(countCharacters(() => resolve(PEER, headers))).toBeLessThan(LENGTH * 1.1);
  });
});
