import { GuardConfigError } from '@frontmcp/guard-core';

import { resolveClientIp } from './resolve-client-ip.js';

const request = {
  remoteAddress: '::ffff:10.0.0.9',
  headers: { 'x-forwarded-for': '1.1.1.1, 8.8.4.4', forwarded: 'for=7.7.7.7' },
};

afterEach(() => {
  delete process.env.FRONTMCP_TRUST_PROXY;
});

test('[IP-16] [IP-17] takes a request and its options at once', () => {
  expect(resolveClientIp(request)).toBe('10.0.0.9');
  expect(resolveClientIp({ ...request, trustProxy: true })).toBe('8.8.4.4');
  expect(resolveClientIp({ ...request, trustProxy: true, trustedProxyDepth: 2 })).toBe('1.1.1.1');
  expect(resolveClientIp({ ...request, trustProxy: true, proxyHeader: 'forwarded' })).toBe(
    '7.7.7.7',
  );
  expect(
    resolveClientIp({ ...request, trustProxy: true, trustedProxies: ['10.0.0.9', '8.8.4.4'] }),
  ).toBe('1.1.1.1');
});

test('[GM-27] reads the environment each time', () => {
  expect(resolveClientIp(request)).toBe('10.0.0.9');
  process.env.FRONTMCP_TRUST_PROXY = 'on';
  expect(resolveClientIp(request)).toBe('8.8.4.4');
  process.env.FRONTMCP_TRUST_PROXY = 'maybe';
  expect(() => resolveClientIp(request)).toThrow(GuardConfigError);
});
