import { resolvePartitionKey } from '@frontmcp/guard-core';

import { RequestContext } from './request-context.js';

describe('RequestContext', () => {
  test('has what the application says before what the request says', () => {
    const context = new RequestContext('192.0.2.1', {
      clientIp: '192.0.2.2',
      userId: 'ann',
      sessionId: 's1',
    });
    expect(context.clientIp).toBe('192.0.2.2');
    expect(context.userId).toBe('ann');
    expect(context.sessionId).toBe('s1');
  });

  test('gives who has no session that of their network, which no session can be told to be', () => {
    const bySession = (ip: string | undefined, sessionId?: string): string =>
      resolvePartitionKey(
        'session',
        new RequestContext(ip, sessionId === undefined ? {} : { sessionId }),
      );
    expect(bySession('192.0.2.1')).toBe('ip:192.0.2.1');
    expect(bySession('2001:db8::1')).toBe(bySession('2001:db8::2'));
    expect(bySession('192.0.2.1', '')).toBe('ip:192.0.2.1');
    expect(bySession(undefined)).toBe('anonymous');
    expect(bySession('no address')).toBe('anonymous');
    expect(bySession('192.0.2.1', 's1')).toBe('s1');
  });
});
