import { errorHelp, GuardError } from '@frontmcp/guard-core';
import { IpBlockedError } from './ip-blocked-error.js';
import { IpNotAllowedError } from './ip-not-allowed-error.js';

describe('IpBlockedError', () => {
  it('[IP-13] is a GuardError IP_BLOCKED with status 403', () => {
    const cause = new Error('why');
    const error = new IpBlockedError('203.0.113.5', { cause });
    expect(error).toBeInstanceOf(GuardError);
    expect(error).toBeInstanceOf(IpBlockedError);
    expect(error).not.toBeInstanceOf(IpNotAllowedError);
    expect(error).toMatchObject({
      name: 'IpBlockedError',
      code: 'IP_BLOCKED',
      statusCode: 403,
      clientIp: '203.0.113.5',
      message: `IP address "203.0.113.5" is blocked (see ${errorHelp('IP_BLOCKED')})`,
      cause,
    });
  });
});

describe('IpNotAllowedError', () => {
  it('[IP-14] is a GuardError IP_NOT_ALLOWED with status 403', () => {
    const error = new IpNotAllowedError('203.0.113.5');
    expect(error).toBeInstanceOf(GuardError);
    expect(error).toBeInstanceOf(IpNotAllowedError);
    expect(error).not.toBeInstanceOf(IpBlockedError);
    expect(error).toMatchObject({
      name: 'IpNotAllowedError',
      code: 'IP_NOT_ALLOWED',
      statusCode: 403,
      clientIp: '203.0.113.5',
      message: `IP address "203.0.113.5" is not allowed (see ${errorHelp('IP_NOT_ALLOWED')})`,
    });
    expect(error).not.toHaveProperty('cause');
  });

  it('says that the address is unknown when it is', () => {
    expect(new IpNotAllowedError(undefined).message).toBe(
      `IP address unknown is not allowed (see ${errorHelp('IP_NOT_ALLOWED')})`,
    );
    expect(new IpBlockedError(undefined).message).toBe(
      `IP address unknown is blocked (see ${errorHelp('IP_BLOCKED')})`,
    );
  });

  it('escapes an address that came from outside', () => {
    expect(new IpBlockedError('1\n2\ud800').message).toBe(
      `IP address "1\\n2\\ud800" is blocked (see ${errorHelp('IP_BLOCKED')})`,
    );
  });
});
