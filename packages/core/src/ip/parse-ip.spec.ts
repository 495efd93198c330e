import { isIP } from 'node:net';
import fc from 'fast-check';
import { formatIp } from './format-ip.js';
import { parseIp } from './parse-ip.js';

const words = new Uint32Array(4);

function parse(text: unknown): string {
  const family = parseIp(text as string, words);
  return family === 0 ? 'refused' : `${family}: ${formatIp(family, words)}`;
}

describe('parseIp', () => {
  it.each([
    ['0.0.0.0', '4: 0.0.0.0'],
    ['255.255.255.255', '4: 255.255.255.255'],
    ['1.2.3.4', '4: 1.2.3.4'],
    ['10.20.30.40', '4: 10.20.30.40'],
    ['192.168.100.200', '4: 192.168.100.200'],
    ['::', '6: ::'],
    ['::1', '6: ::1'],
    ['1::', '6: 1::'],
    ['1:2:3:4:5:6:7:8', '6: 1:2:3:4:5:6:7:8'],
    ['1:2:3:4:5:6:7::', '6: 1:2:3:4:5:6:7:0'],
    ['::2:3:4:5:6:7:8', '6: 0:2:3:4:5:6:7:8'],
    ['2001:DB8::A', '6: 2001:db8::a'],
    ['1:2:3:4:5:6:1.2.3.4', '6: 1:2:3:4:5:6:102:304'],
    ['ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255', '6: ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ])('reads %s', (text, expected) => {
    expect(parse(text)).toBe(expected);
  });

  it.each([
    ['case 1', ['0127.0.0.1', '0177.0.0.1']],
    ['case 2', ['012.0.0.1', '00.0.0.0', '1.2.3.04']],
    ['case 4', ['010.8.8.8', '10.08.8.8']],
  ])('%s: refuses an octet with a leading zero', (_case, texts) => {
    for (const text of texts) expect(parse(text)).toBe('refused');
  });

  it('case 5: refuses hexadecimal octets', () => {
    expect(parse('0x7f.1')).toBe('refused');
    expect(parse('0x7f.0.0.1')).toBe('refused');
  });

  it.each(['127.1', '127.0.1', '127.00.0x1', '127.0.0x0.1', '1.2.3', '1.2.3.', '1..2.3'])(
    'case 6: refuses the short form %s',
    (text) => {
      expect(parse(text)).toBe('refused');
    },
  );

  it('case 8: refuses a single number', () => {
    expect(parse('0')).toBe('refused');
    expect(parse('12')).toBe('refused');
  });

  it('case 9: refuses an address as one integer', () => {
    expect(parse('2130706433')).toBe('refused');
    expect(parse('0x7f000001')).toBe('refused');
  });

  it('case 11: reads zeros in IPv6 groups', () => {
    expect(parse('000:0:0000::01')).toBe('6: ::1');
  });

  it('case 12: reads an IPv4-mapped address in any letter case as IPv4', () => {
    expect(parse('::fFFf:127.0.0.1')).toBe('4: 127.0.0.1');
  });

  it('case 13: refuses an octet over 255', () => {
    expect(parse('1.2.2.355')).toBe('refused');
    expect(parse('256.0.0.1')).toBe('refused');
    expect(parse('1.2.3.1000')).toBe('refused');
  });

  it.each(['１９２.１６８.１.１', '𝟏𝟗𝟐.𝟏𝟔𝟖.𝟏.𝟏', '١.٢.٣.٤', '১.২.৩.৪', '1。2。3。4', '::１'])(
    'case 14: refuses digits and dots outside ASCII, %s',
    (text) => {
      expect(parse(text)).toBe('refused');
    },
  );

  it.each(['::\u00b1', '\u0131::', '1:2:3:4:5:6:7:\u0661', '::\u0131.2.3.4', '::1.2.3.\u0134'])(
    'case 14: refuses %j, whose low bits are those of a digit',
    (text) => {
      expect(parse(text)).toBe('refused');
    },
  );

  it('case 16: refuses a trailing dot', () => {
    expect(parse('127.0.0.1.')).toBe('refused');
  });

  it.each([' 1.2.3.4', '1.2.3.4 ', '1. 2.3.4', '1.2.3.4\n', '\t::1', '::1 ', '1.2.3.4\0', ': :1'])(
    'case 17: refuses white space, %j',
    (text) => {
      expect(parse(text)).toBe('refused');
    },
  );

  it('case 18: refuses a long text by its length, before it scans it', () => {
    expect(parse('ffff:'.repeat(100_000))).toBe('refused');
    expect(parse('1'.repeat(500_000))).toBe('refused');
    expect(parse(`${'0'.repeat(500_000)}.0.0.1`)).toBe('refused');
    const scan = jest.spyOn(String.prototype, 'charCodeAt');
    parse('1'.repeat(46));
    const scans = scan.mock.calls.length;
    scan.mockRestore();
    expect(scans).toBe(0);
  });

  it('case 20: takes an address as mapped only when its first 80 bits are zero', () => {
    expect(parse('2001:718:1404:c8:0:ffff:ac19:c80e')).toBe('6: 2001:718:1404:c8:0:ffff:ac19:c80e');
    expect(parse('2001:db8:1:1:0:ffff:7f00:1')).toBe('6: 2001:db8:1:1:0:ffff:7f00:1');
    expect(parse('dead::ffff:1.2.3.4')).toBe('6: dead::ffff:102:304');
    expect(parse('::1:ffff:1.2.3.4')).toBe('6: ::1:ffff:102:304');
    expect(parse('0:1::ffff:1.2.3.4')).toBe('6: 0:1::ffff:102:304');
    expect(parse('::1:0:ffff:1.2.3.4')).toBe('6: ::1:0:ffff:102:304');
    expect(parse('::1.2.3.4')).toBe('6: ::102:304');
  });

  it('case 23: takes an address as mapped by its bits, not its spelling', () => {
    expect(parse('::ffff:7f00:1')).toBe('4: 127.0.0.1');
    expect(parse('0:0:0:0:0:ffff:7f00:0001')).toBe('4: 127.0.0.1');
    expect(parse('0::0:ffff:127.0.0.1')).toBe('4: 127.0.0.1');
  });

  it('case 24: keeps a dotted quad under an IPv6 network as IPv6', () => {
    expect(parse('2001:db8:1234:5678::1.2.3.4')).toBe('6: 2001:db8:1234:5678::102:304');
  });

  it.each(['fe80::1%eth0', 'fe80::1%6'])('case 30: leaves a zone to the resolver, %s', (text) => {
    expect(parse(text)).toBe('refused');
  });

  it.each(['fe80::1%', 'fe80::1% :', '1.2.3.4%eth0'])('case 31: refuses %s', (text) => {
    expect(parse(text)).toBe('refused');
  });

  it.each([
    '2001:db8:cafe:::17',
    ':::',
    '::1::',
    '1::2::3',
    ':1',
    '1:',
    ':1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7:8:',
  ])('case 34: refuses misplaced colons, %s', (text) => {
    expect(parse(text)).toBe('refused');
  });

  it.each(['garbage', 'unknown', '', undefined])('case 35: refuses %j', (text) => {
    expect(parse(text)).toBe('refused');
  });

  it.each([
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4::5:6:7:8',
    '::1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7:8::',
    '12345::',
    '00001::',
    'g::',
    '::1.2.3',
    '::1.2.3.4.5',
    '::1.2.3.4:1',
    '::01.2.3.4',
    '::1.2.3.256',
    '::a.2.3.4',
    '1.2.3.4::',
    '1:2:3:4:5:6:7:1.2.3.4',
    '1:2:3:4:5:1.2.3.4',
    '1.2.3.4:80',
    '[::1]',
    '[::1]:80',
    '::1/128',
    '-1.2.3.4',
    '+1.2.3.4',
    '1.2.3.4e1',
    '\ud800::',
    '::\udfff',
  ])('refuses %j', (text) => {
    expect(parse(text)).toBe('refused');
  });

  it.each([null, 0, 16909060, true, {}, [], ['1.2.3.4'], Symbol('::1'), 1n])(
    'refuses what is not a string',
    (value) => {
      expect(parse(value)).toBe('refused');
    },
  );

  it('reads what stands before a refused address not at all', () => {
    expect(parse('1:2:3:4:5:6:7:8')).toBe('6: 1:2:3:4:5:6:7:8');
    expect(parse('1:2')).toBe('refused');
    expect(parse('::')).toBe('6: ::');
  });

  it('accepts exactly the texts without a zone that net.isIP accepts', () => {
    const nearly = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.ipV4().map((ip) => `::ffff:${ip}`),
      fc.string({ unit: fc.constantFrom(...Array.from('0012359aFfx:::...-/ ')), maxLength: 24 }),
    );
    const edit = fc.record({
      at: fc.nat(45),
      remove: fc.nat(2),
      insert: fc.constantFrom('', '', '0', '1', ':', '::', '.', 'f', 'g', ' ', '/', '١'),
    });
    fc.assert(
      fc.property(nearly, fc.option(edit, { nil: undefined }), (text, change) => {
        const { at, remove, insert } = change ?? { at: 0, remove: 0, insert: '' };
        const edited = text.slice(0, at) + insert + text.slice(at + remove);
        return (parse(edited) !== 'refused') === (isIP(edited) !== 0);
      }),
      { seed: 4291, numRuns: 30_000 },
    );
  });
});
