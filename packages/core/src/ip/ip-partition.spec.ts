import { ipPartition } from './ip-partition.js';

describe('ipPartition', () => {
  it('gives an IPv4 address as it is', () => {
    expect(ipPartition('203.0.113.5')).toBe('203.0.113.5');
  });

  it('case B-60: gives every address of an IPv6 /64 one partition', () => {
    expect(ipPartition('2001:db8:1:2::1')).toBe('2001:db8:1:2::/64');
    expect(ipPartition('2001:db8:1:2::ffff')).toBe('2001:db8:1:2::/64');
    expect(ipPartition('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64');
  });

  it('case B-61: takes IPv4-mapped by value, not by notation', () => {
    expect(ipPartition('::ffff:1.2.3.4')).toBe('1.2.3.4');
    expect(ipPartition('::ffff:102:304')).toBe('1.2.3.4');
    expect(ipPartition('2001:db8:1234:5678::1.2.3.4', 56)).toBe('2001:db8:1234:5600::/56');
  });

  it('case 24: never takes a dotted quad under an IPv6 network for IPv4', () => {
    expect(ipPartition('2001:db8:1234:5678::1.2.3.4')).toBe('2001:db8:1234:5678::/64');
  });

  it('case 72: keeps IPv4-mapped addresses apart at any prefix', () => {
    for (const prefix of [32, 56, 64, 128]) {
      expect(ipPartition('::ffff:192.0.2.1', prefix)).toBe('192.0.2.1');
      expect(ipPartition('::ffff:198.51.100.9', prefix)).toBe('198.51.100.9');
    }
  });

  it('case 73: puts two addresses of one /64 into one bucket', () => {
    expect(ipPartition('2001:db8::dead:beef')).toBe(ipPartition('2001:db8:0:0:1::'));
  });

  it.each([
    [1, '8000::/1'],
    [31, 'fffe:dcba:9876:5432:fedc:ba98:7654:3211', 'fffe:dcba::/31'],
    [32, 'fffe:dcba::/32'],
    [33, 'fffe:dcba:8000::/33'],
    [63, 'fffe:dcba:9876:5432::/63'],
    [64, 'fffe:dcba:9876:5432::/64'],
    [65, 'fffe:dcba:9876:5432:8000::/65'],
    [127, 'fffe:dcba:9876:5432:fedc:ba98:7654:3210/127'],
    [128, 'fffe:dcba:9876:5432:fedc:ba98:7654:3211'],
  ])('cuts IPv6 at %i bits', (prefix, ...texts) => {
    const expected = texts.at(-1);
    expect(ipPartition('fffe:dcba:9876:5432:fedc:ba98:7654:3211', prefix)).toBe(expected);
  });

  it.each([undefined, '', 'unknown', 'fe80::1%eth0', '[::1]', '1.2.3'])(
    'gives undefined for %j',
    (text) => {
      expect(ipPartition(text)).toBeUndefined();
    },
  );

  it.each([0, -1, 129, 64.5, Number.NaN, Infinity])('refuses the prefix %d', (prefix) => {
    expect(() => ipPartition('::1', prefix)).toThrow(RangeError);
    expect(() => ipPartition('::1', prefix)).toThrow(`IPv6 prefix ${prefix}`);
  });
});
