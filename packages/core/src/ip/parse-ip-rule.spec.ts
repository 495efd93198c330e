import { explainIpRule } from './explain-ip-rule.js';
import { formatIp } from './format-ip.js';
import { createIpRule, parseIpRule } from './parse-ip-rule.js';

const rule = createIpRule();

function read(text: string): string {
  const family = parseIpRule(text, rule);
  if (family === 0) return 'refused';
  return `${formatIp(family, rule.first)} - ${formatIp(family, rule.last)}`;
}

function explain(text: string): string | undefined {
  const error = explainIpRule(text);
  return error && `${error.kind}: ${error.reason}`;
}

describe('parseIpRule', () => {
  it.each([
    ['10.1.2.3', '10.1.2.3 - 10.1.2.3'],
    ['10.0.0.0/8', '10.0.0.0 - 10.255.255.255'],
    ['0.0.0.0/0', '0.0.0.0 - 255.255.255.255'],
    ['128.0.0.0/1', '128.0.0.0 - 255.255.255.255'],
    ['10.1.2.2/31', '10.1.2.2 - 10.1.2.3'],
    ['10.1.2.3/32', '10.1.2.3 - 10.1.2.3'],
    ['2001:db8::1', '2001:db8::1 - 2001:db8::1'],
    ['::/0', ':: - ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2001:db8::/31', '2001:db8:: - 2001:db9:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2001:db8::/32', '2001:db8:: - 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2001:db8::/33', '2001:db8:: - 2001:db8:7fff:ffff:ffff:ffff:ffff:ffff'],
    ['2001:db8::/64', '2001:db8:: - 2001:db8::ffff:ffff:ffff:ffff'],
    ['2001:db8::/127', '2001:db8:: - 2001:db8::1'],
    ['2001:db8::/128', '2001:db8:: - 2001:db8::'],
    ['2001:db8::a-2001:db8:1::', '2001:db8::a - 2001:db8:1::'],
    ['10.0.0.1-10.0.0.1', '10.0.0.1 - 10.0.0.1'],
    ['::ffff:10.0.0.1-10.0.0.2', '10.0.0.1 - 10.0.0.2'],
    ['::1.2.3.0/120', '::102:300 - ::102:3ff'],
  ])('reads %s', (text, expected) => {
    expect(read(text)).toBe(expected);
    expect(rule.hostBits).toBe(false);
    expect(explain(text)).toBeUndefined();
  });

  it.each([
    ['10.0.0.0/33', 'CIDR: prefix is over 32'],
    ['2001:db8::/129', 'CIDR: prefix is over 128'],
    ['10.0.0.0/1000', 'CIDR: prefix is over 32'],
  ])('case 36: refuses the prefix of %s', (text, reason) => {
    expect(read(text)).toBe('refused');
    expect(explain(text)).toBe(reason);
  });

  it.each([
    ['192.168.*', 'IP address: wildcards are not supported, write 192.168.0.0/16'],
    ['10.0.0.*', 'IP address: wildcards are not supported, write 10.0.0.0/24'],
    ['10.*.*.*', 'IP address: wildcards are not supported, write 10.0.0.0/8'],
    ['300.*', 'IP address: wildcards are not supported, write a CIDR network'],
    ['*', 'IP address: wildcards are not supported, write a CIDR network'],
  ])('case 37: refuses the wildcard %s and says what to write', (text, reason) => {
    expect(read(text)).toBe('refused');
    expect(explain(text)).toBe(reason);
  });

  it.each([
    ['10.0.0.0/ 24', 'it holds white space'],
    ['10.0.0.0/+24', 'prefix "+24" is not a decimal number without leading zeros'],
    ['10.0.0.0/0x18', 'prefix "0x18" is not a decimal number without leading zeros'],
    ['10.0.0.0/8.5', 'prefix "8.5" is not a decimal number without leading zeros'],
    ['10.0.0.0/-1', 'prefix "-1" is not a decimal number without leading zeros'],
    ['10.0.0.0/8abc', 'prefix "8abc" is not a decimal number without leading zeros'],
    ['10.0.0.0/8/16', 'prefix "8/16" is not a decimal number without leading zeros'],
    ['10.0.0.0/08', 'prefix "08" is not a decimal number without leading zeros'],
    ['10.0.0.0/00', 'prefix "00" is not a decimal number without leading zeros'],
    ['10.0.0.0/8-10.0.0.9', 'prefix "8-10.0.0.9" is not a decimal number without leading zeros'],
    ['10.0.0.0/٨', 'prefix "٨" is not a decimal number without leading zeros'],
    ['10.0.0.0/', 'the prefix is missing'],
    ['/', '"" is not an IPv4 or IPv6 address'],
    ['/8', '"" is not an IPv4 or IPv6 address'],
  ])('case 38: refuses %s', (text, reason) => {
    expect(read(text)).toBe('refused');
    expect(explain(text)).toBe(`CIDR: ${reason}`);
  });

  it.each(['10.0.0.999/8', '300.0.0.0/8', '999.0.0.0/8'])('case 40: refuses %s', (text) => {
    expect(read(text)).toBe('refused');
    expect(explain(text)).toMatch(/^CIDR: "[\d.]+" has an octet over 255$/);
  });

  it('case 41: refuses an octet with a leading zero', () => {
    expect(read('010.0.0.0/8')).toBe('refused');
    expect(explain('010.0.0.0/8')).toBe('CIDR: "010.0.0.0" has an octet with a leading zero');
  });

  it('case 42: reads an IPv4-mapped network as IPv4', () => {
    expect(read('::ffff:10.0.0.0/104')).toBe('10.0.0.0 - 10.255.255.255');
    expect(read('::ffff:0:0/96')).toBe('0.0.0.0 - 255.255.255.255');
    expect(read('::ffff:10.0.0.1/128')).toBe('10.0.0.1 - 10.0.0.1');
  });

  it.each(['::ffff:10.0.0.0/95', '::ffff:10.0.0.0/8', '::ffff:10.0.0.0/0'])(
    'refuses %s, which is wider than the mapped addresses',
    (text) => {
      expect(read(text)).toBe('refused');
      expect(explain(text)).toBe(
        'CIDR: prefix is under 96, so it covers more than IPv4-mapped addresses',
      );
    },
  );

  it('refuses a prefix over 128 on an IPv4-mapped network, and one over 32 on a dotted quad', () => {
    expect(explain('::ffff:10.0.0.0/129')).toBe('CIDR: prefix is over 128');
    expect(explain('10.0.0.0/104')).toBe('CIDR: prefix is over 32');
  });

  it.each([
    ['192.168.1.123/24', '192.168.1.0 - 192.168.1.255'],
    ['1.2.3.4/0', '0.0.0.0 - 255.255.255.255'],
    ['2001:db8::1/64', '2001:db8:: - 2001:db8::ffff:ffff:ffff:ffff'],
    ['2001:db8:0:0:8000::/64', '2001:db8:: - 2001:db8::ffff:ffff:ffff:ffff'],
    ['::ffff:10.1.2.3/104', '10.0.0.0 - 10.255.255.255'],
  ])('case 47: masks the host bits of %s and says so', (text, expected) => {
    expect(read(text)).toBe(expected);
    for (const clean of ['10.0.0.0/8', '10.0.0.1', '10.0.0.1-10.0.0.2']) {
      read(text);
      expect(rule.hostBits).toBe(true);
      read(clean);
      expect(rule.hostBits).toBe(false);
    }
  });

  it('case 48: masks the example of the AWS documentation', () => {
    expect(read('198.51.100.2/24')).toBe('198.51.100.0 - 198.51.100.255');
    expect(rule.hostBits).toBe(true);
  });

  it('case 49: reads a range', () => {
    expect(read('10.0.0.1-10.0.0.10')).toBe('10.0.0.1 - 10.0.0.10');
  });

  it.each([
    ['192.0.2.0-1.8.2.1', 'its first address is after its last'],
    ['10.0.0.9-10.0.0.1', 'its first address is after its last'],
    ['2001:db8::2-2001:db8::1', 'its first address is after its last'],
    ['10.0.0.1-::1', 'its ends are of different families'],
    ['::1-10.0.0.1', 'its ends are of different families'],
    ['10.0.0.1-', '"" is not an IPv4 or IPv6 address'],
    ['-10.0.0.1', '"" is not an IPv4 or IPv6 address'],
    ['10.0.0.1-5', '"5" is not an IPv4 or IPv6 address'],
    ['10.0.0.1 - 10.0.0.5', 'it holds white space'],
    ['10.0.0.1-10.0.0.2-10.0.0.3', '"10.0.0.2-10.0.0.3" is not an IPv4 or IPv6 address'],
    ['10.0.0.1-10.0.0.2/8', '"10.0.0.1-10.0.0.2" is not an IPv4 or IPv6 address'],
  ])('case 51: refuses the range %s', (text, reason) => {
    expect(read(text)).toBe('refused');
    expect(explain(text)).toContain(reason);
  });

  it('case 52: reads a full-length prefix as the address', () => {
    expect(read('1.1.1.1/32')).toBe(read('1.1.1.1'));
    expect(read('::1/128')).toBe(read('::1'));
  });

  it.each(['fe80::1%eth0', 'fe80::1%eth0/64', 'fe80::%1-fe80::2'])(
    'case 56: refuses the zone of %s',
    (text) => {
      expect(read(text)).toBe('refused');
      expect(explain(text)).toContain('a zone id has no meaning in a rule');
    },
  );

  it.each([
    ['example.com', '"example.com" is not an IPv4 or IPv6 address'],
    ['my-host', '"my-host" is not an IPv4 or IPv6 address'],
    ['10.0.0.1 # office', 'comments are not supported'],
    ['1.2.3.0/24 ; SBL1', 'comments are not supported'],
    ['10.0.0.1,10.0.0.2', 'it holds a comma, write one rule per entry'],
    ['[::1]', 'brackets are not supported'],
    [' 10.0.0.1', 'it holds white space'],
    ['', 'it is empty'],
  ])('case 57: refuses %j', (text, reason) => {
    expect(read(text)).toBe('refused');
    expect(explainIpRule(text)?.reason).toBe(reason);
  });

  it('refuses a long text by its length', () => {
    expect(read('1'.repeat(500_000))).toBe('refused');
    expect(explain('1'.repeat(500_000))).toBe(
      'IP address: it has 500000 characters, a rule has at most 91',
    );
    const longest = 'ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255';
    expect(read(`${longest}-${longest}`)).not.toBe('refused');
  });

  it('refuses what is not a string', () => {
    for (const value of [undefined, null, 5, {}, []]) {
      expect(read(value as string)).toBe('refused');
    }
  });
});
