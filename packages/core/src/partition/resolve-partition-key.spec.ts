import {
  byIp,
  GuardConfigError,
  resolvePartitionKey,
  type PartitionKey,
  type PartitionKeyContext,
} from '../index.js';

const context = { sessionId: 's1', clientIp: '203.0.113.5', userId: 'u1' };
const { clientIp: _ip, ...withoutIp } = context;
const { userId: _user, ...withoutUser } = context;

describe('resolvePartitionKey', () => {
  test.each<[string, PartitionKey | undefined, string]>([
    ['[PK-01] nothing chosen shares one bucket', undefined, 'global'],
    ['[PK-01] global shares one bucket', 'global', 'global'],
    ['[PK-02] ip is the address', 'ip', '203.0.113.5'],
    ['[PK-04] session is the session', 'session', 's1'],
    ['[PK-05] userId is the user', 'userId', 'u1'],
    ['[PK-06] a function says itself', (caller) => `plan:${String(caller.userId)}`, 'plan:u1'],
  ])('%s', (_name, partitionBy, expected) => {
    expect(resolvePartitionKey(partitionBy, context)).toBe(expected);
  });

  test('[PK-03] ip without an address goes by the user, without either it is one bucket', () => {
    expect(resolvePartitionKey('ip', withoutIp)).toBe('user:u1');
    expect(resolvePartitionKey('ip', { sessionId: 's1' })).toBe('unknown-ip');
    expect(resolvePartitionKey('ip', { sessionId: 's1', clientIp: 'garbage' })).toBe('unknown-ip');
    expect(resolvePartitionKey('ip', { sessionId: 's1', clientIp: '', userId: '' })).toBe(
      'unknown-ip',
    );
  });

  test('[PK-02] B-61 an IPv4-mapped address is the IPv4 address, by value', () => {
    const of = (clientIp: string) => resolvePartitionKey('ip', { sessionId: 's', clientIp });
    expect(of('::ffff:1.2.3.4')).toBe('1.2.3.4');
    expect(of('::ffff:102:304')).toBe('1.2.3.4');
    expect(of('::ffff:5.6.7.8')).not.toBe(of('::ffff:1.2.3.4'));
  });

  test('[PK-07] B-60 addresses of one IPv6 /64 are one caller', () => {
    const of = (clientIp: string) => resolvePartitionKey('ip', { sessionId: 's', clientIp });
    expect(of('2001:db8:1:2::1')).toBe('2001:db8:1:2::/64');
    expect(of('2001:0DB8:1:2::ffff')).toBe(of('2001:db8:1:2::1'));
    expect(of('2001:db8:1:3::1')).not.toBe(of('2001:db8:1:2::1'));
  });

  test('[PK-05] userId without a user goes by the session', () => {
    expect(resolvePartitionKey('userId', withoutUser)).toBe('session:s1');
  });

  test('[PK-08] nobody who picks their session or user id spends the limit of another', () => {
    const of = (sessionId: string, userId?: string) =>
      resolvePartitionKey('userId', { sessionId, userId });
    expect(of('x', 'session:s1')).toBe('user:session:s1');
    expect(of('x', 'user:session:s1')).toBe('user:user:session:s1');
    const keys = [of('s1'), of('x', 's1'), of('x', 'session:s1'), of('x', 'user:session:s1')];
    expect(new Set(keys).size).toBe(keys.length);
  });

  test.each<[PartitionKey, string]>([
    ['global', 'global'],
    ['ip', 'unknown-ip'],
    ['session', 'anonymous'],
    ['userId', 'session:anonymous'],
    [({ sessionId }) => sessionId, 'anonymous'],
  ])('without a context %p is one bucket', (partitionBy, expected) => {
    expect(resolvePartitionKey(partitionBy, undefined)).toBe(expected);
  });

  test.each([
    ['', 'an empty string'],
    [undefined, 'undefined'],
    [42, '42'],
    [null, 'null'],
  ])('a function that returns %p is a GuardConfigError that says so', (returned, said) => {
    const partitionBy = (() => returned) as unknown as PartitionKey;
    expect(() => resolvePartitionKey(partitionBy, context)).toThrow(GuardConfigError);
    expect(() => resolvePartitionKey(partitionBy, context)).toThrow(
      `partitionBy must return a non-empty string, got ${said}`,
    );
  });

  test('an unknown strategy is a GuardConfigError that names it', () => {
    expect(() => resolvePartitionKey('tenant' as PartitionKey, context)).toThrow('got "tenant"');
  });
});

describe('a context from outside of TypeScript', () => {
  const strategies = { userId: 'userId', sessionId: 'session', clientIp: 'ip' } as const;
  const fields = Object.keys(strategies) as (keyof typeof strategies)[];
  const rows = fields.flatMap((field) =>
    ([42, 0, {}, true, () => 'x', Symbol('x')] as const).map((value) => [field, value] as const),
  );

  test.each(rows)('with %s %p is a TypeError that names the field and the type', (field, value) => {
    const context = { sessionId: 's', [field]: value } as unknown as PartitionKeyContext;
    const message = `context.${field} must be a string, got ${typeof value}`;
    expect(() => resolvePartitionKey(strategies[field], context)).toThrow(new TypeError(message));
    expect(resolvePartitionKey('global', context)).toBe('global');
    if (field !== 'clientIp') return;
    expect(() => byIp()(context)).toThrow(new TypeError(message));
  });

  test('with a session that is no string is a TypeError for a caller without a user, too', () => {
    const context = { sessionId: 7 } as unknown as PartitionKeyContext;
    expect(() => resolvePartitionKey('userId', context)).toThrow('context.sessionId must be');
  });

  test('with a user that is no string is a TypeError for a caller without an address, too', () => {
    const context = { sessionId: 's', userId: 7 } as unknown as PartitionKeyContext;
    expect(() => resolvePartitionKey('ip', context)).toThrow('context.userId must be a string');
  });

  test.each([null, undefined])('with a field that is %p has none', (absent) => {
    const context = { sessionId: absent, userId: absent, clientIp: absent };
    const resolve = (partitionBy: PartitionKey): string =>
      resolvePartitionKey(partitionBy, context as unknown as PartitionKeyContext);
    expect(resolve('ip')).toBe('unknown-ip');
    expect(resolve('session')).toBe('anonymous');
    expect(resolve('userId')).toBe('session:anonymous');
  });
});

describe('byIp', () => {
  const at = (clientIp: string, ipv6Prefix?: number) =>
    byIp(ipv6Prefix === undefined ? {} : { ipv6Prefix })({ sessionId: 's', clientIp });

  test('chooses the length of the IPv6 network', () => {
    expect(at('2001:db8:1234:5678::1', 56)).toBe('2001:db8:1234:5600::/56');
    expect(at('2001:db8:1234:5678::1', 128)).not.toBe(at('2001:db8:1234:5678::2', 128));
    expect(at('2001:db8:1234:5678::1')).toBe('2001:db8:1234:5678::/64');
  });

  test('B-61 leaves IPv4 alone and sees IPv4 only where it is mapped', () => {
    expect(at('192.0.2.1', 32)).toBe('192.0.2.1');
    expect(at('2001:db8:1234:5678::1.2.3.4', 56)).toBe('2001:db8:1234:5600::/56');
  });

  test('falls back as ip does', () => {
    expect(byIp()({ sessionId: 's', userId: 'u' })).toBe('user:u');
    expect(byIp()({ sessionId: 's' })).toBe('unknown-ip');
  });

  test.each([31, 129, 64.5, NaN, -1])('a prefix of %p is a GuardConfigError', (ipv6Prefix) => {
    expect(() => byIp({ ipv6Prefix })).toThrow(GuardConfigError);
    expect(() => byIp({ ipv6Prefix })).toThrow(String(ipv6Prefix));
  });
});
