import { errorHelp, GuardConfigError } from '@frontmcp/guard-core';
import { IpFilter } from './ip-filter.js';
import type { IpFilterConfig } from './ip-filter-config.js';

const DEFAULT_ALLOW = { allowed: true, reason: 'default' };
const DEFAULT_DENY = { allowed: false, reason: 'default' };

function denied(matchedRule: string): object {
  return { allowed: false, reason: 'denylisted', matchedRule };
}

function allowed(matchedRule: string): object {
  return { allowed: true, reason: 'allowlisted', matchedRule };
}

function deny(...denyList: string[]): IpFilter {
  return new IpFilter({ denyList });
}

/** The lines of the message, which ends with the link. */
function problemsOf(config: object): string[] {
  const link = ` (see ${errorHelp('GUARD_CONFIG_INVALID')})`;
  try {
    new IpFilter(config);
  } catch (error) {
    expect(error).toBeInstanceOf(GuardConfigError);
    const { message } = error as Error;
    expect(message.indexOf(link)).toBe(message.length - link.length);
    return message.slice(0, -link.length).split('\n');
  }
  return [];
}

describe('IpFilter', () => {
  describe('what it promises', () => {
    it('[IP-01] checks an address against allow and deny lists of addresses and CIDR ranges, IPv4 and IPv6', () => {
      const filter = new IpFilter({
        allowList: ['192.0.2.1', '198.51.100.0/24', '2001:db8::1', '2001:db8:a::/48'],
        denyList: ['192.0.2.2', '203.0.113.0/24', '2001:db8::2', '2001:db8:b::/48'],
      });
      expect(filter.check('192.0.2.1')).toStrictEqual(allowed('192.0.2.1'));
      expect(filter.check('198.51.100.255')).toStrictEqual(allowed('198.51.100.0/24'));
      expect(filter.check('2001:db8:0::1')).toStrictEqual(allowed('2001:db8::1'));
      expect(filter.check('2001:db8:a:ffff::')).toStrictEqual(allowed('2001:db8:a::/48'));
      expect(filter.check('192.0.2.2')).toStrictEqual(denied('192.0.2.2'));
      expect(filter.check('203.0.113.0')).toStrictEqual(denied('203.0.113.0/24'));
      expect(filter.check('2001:DB8::2')).toStrictEqual(denied('2001:db8::2'));
      expect(filter.check('2001:db8:b::')).toStrictEqual(denied('2001:db8:b::/48'));
      expect(filter.check('192.0.2.3')).toStrictEqual(DEFAULT_ALLOW);
      expect(filter.check('2001:db8::3')).toStrictEqual(DEFAULT_ALLOW);
    });

    it('[IP-02] matches an IPv4-mapped IPv6 address as the IPv4 address it maps', () => {
      const filter = new IpFilter({ denyList: ['192.168.0.0/16', '::ffff:10.0.0.1'] });
      expect(filter.check('::ffff:192.168.1.1')).toStrictEqual(denied('192.168.0.0/16'));
      expect(filter.check('10.0.0.1')).toStrictEqual(denied('::ffff:10.0.0.1'));
    });

    it('[IP-03] is exact across the whole IPv6 address space', () => {
      const filter = deny(
        'ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe',
        '8000::/1',
        '7fff:ffff:ffff:ffff::/65',
      );
      expect(filter.check('ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe').matchedRule).toMatch(/fffe$/);
      expect(filter.check('ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff').matchedRule).toBe('8000::/1');
      expect(filter.check('ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffd').matchedRule).toBe('8000::/1');
      expect(filter.check('7fff:ffff:ffff:ffff:7fff:ffff:ffff:ffff').allowed).toBe(false);
      expect(filter.check('7fff:ffff:ffff:ffff:8000::').allowed).toBe(true);
      expect(filter.check('7fff:ffff:ffff:fffe:ffff:ffff:ffff:ffff').allowed).toBe(true);
    });

    it('[IP-04] refuses an address on the deny list, whatever the allow list says', () => {
      const filter = new IpFilter({
        allowList: ['10.0.0.1', '10.0.0.0/8'],
        denyList: ['10.0.0.0/16'],
      });
      expect(filter.check('10.0.0.1')).toStrictEqual(denied('10.0.0.0/16'));
    });

    it('[IP-05] asks the allow list next, then the default action', () => {
      const filter = new IpFilter({
        allowList: ['192.168.0.0/16'],
        denyList: ['192.168.1.100'],
        defaultAction: 'deny',
      });
      expect(filter.check('192.168.2.50')).toStrictEqual(allowed('192.168.0.0/16'));
      expect(filter.check('192.168.1.100')).toStrictEqual(denied('192.168.1.100'));
      expect(filter.check('192.169.0.0')).toStrictEqual(DEFAULT_DENY);
    });

    it('[IP-06] refuses nothing by an allow list on its own', () => {
      expect(new IpFilter({ allowList: ['10.0.0.0/8'] }).check('11.0.0.0')).toStrictEqual(
        DEFAULT_ALLOW,
      );
      const strict = new IpFilter({ allowList: ['10.0.0.0/8'], defaultAction: 'deny' });
      expect(strict.check('11.0.0.0')).toStrictEqual(DEFAULT_DENY);
    });

    it.each([undefined, '', 'garbage', 'unknown', '1.2.3.4:80', '[::1]', ' 10.0.0.1'])(
      '[IP-07] case 35: gives %j, which matches no rule, the default action',
      (ip) => {
        const everything = ['0.0.0.0/0', '::/0'];
        expect(new IpFilter({ denyList: everything }).check(ip)).toStrictEqual(DEFAULT_ALLOW);
        const strict = new IpFilter({ allowList: everything, defaultAction: 'deny' });
        expect(strict.check(ip)).toStrictEqual(DEFAULT_DENY);
        expect(strict.isAllowListed(ip)).toBe(false);
      },
    );

    it('[IP-08] names the rule that matched as it was written, and no rule by default', () => {
      const filter = deny('::FFFF:10.0.0.0/104');
      expect(filter.check('10.1.1.1')).toStrictEqual(denied('::FFFF:10.0.0.0/104'));
      expect(filter.check('11.1.1.1')).not.toHaveProperty('matchedRule');
    });

    it('[IP-09] says whether an address is on the allow list, ignoring the deny list', () => {
      const filter = new IpFilter({
        allowList: ['10.0.0.0/8', '2001:db8::/32'],
        denyList: ['10.0.0.0/16', '2001:db8::1', '172.16.0.0/12'],
      });
      expect(filter.isAllowListed('10.0.0.1')).toBe(true);
      expect(filter.isAllowListed('10.200.0.1')).toBe(true);
      expect(filter.isAllowListed('2001:db8::1')).toBe(true);
      expect(filter.isAllowListed('172.16.0.1')).toBe(false);
      expect(filter.isAllowListed('11.0.0.0')).toBe(false);
    });

    it('[IP-10] [IP-11] [IP-12] has no rules and allows everybody by default', () => {
      const filter = new IpFilter({});
      expect(filter.check('1.2.3.4')).toStrictEqual(DEFAULT_ALLOW);
      expect(filter.check('::1')).toStrictEqual(DEFAULT_ALLOW);
      expect(filter.check(undefined)).toStrictEqual(DEFAULT_ALLOW);
      expect(filter.isAllowListed('1.2.3.4')).toBe(false);
      const strict = new IpFilter({ defaultAction: 'deny', allowList: undefined, denyList: [] });
      expect(strict.check('1.2.3.4')).toStrictEqual(DEFAULT_DENY);
      expect(strict.check(undefined)).toStrictEqual(DEFAULT_DENY);
    });

    it('takes trustProxy and trustedProxyDepth, and leaves them to HTTP plugins', () => {
      const filter = new IpFilter({
        denyList: ['10.0.0.1'],
        trustProxy: true,
        trustedProxyDepth: 2,
      });
      expect(filter.check('10.0.0.1').allowed).toBe(false);
      expect(filter.check('10.0.0.2, 10.0.0.1')).toStrictEqual(DEFAULT_ALLOW);
    });
  });

  describe('which rule decides', () => {
    it('names the rule that covers the fewest addresses, wherever it stands', () => {
      const filter = deny('10.0.0.0/8', '10.1.0.0/16', '10.1.1.1', '10.1.1.0/24', '0.0.0.0/0');
      expect(filter.check('10.1.1.1').matchedRule).toBe('10.1.1.1');
      expect(filter.check('10.1.1.2').matchedRule).toBe('10.1.1.0/24');
      expect(filter.check('10.1.2.0').matchedRule).toBe('10.1.0.0/16');
      expect(filter.check('10.2.0.0').matchedRule).toBe('10.0.0.0/8');
      expect(filter.check('11.0.0.0').matchedRule).toBe('0.0.0.0/0');
    });

    it('compares ranges and networks by their size', () => {
      const filter = deny('10.0.0.0/24', '10.0.0.250-10.0.1.249', '10.0.0.248-10.0.0.255');
      expect(filter.check('10.0.0.252').matchedRule).toBe('10.0.0.248-10.0.0.255');
      expect(filter.check('10.0.0.1').matchedRule).toBe('10.0.0.0/24');
      expect(filter.check('10.0.1.0').matchedRule).toBe('10.0.0.250-10.0.1.249');
    });

    it('names the first of several rules of one size', () => {
      expect(deny('10.0.0.0/31', '10.0.0.0-10.0.0.1').check('10.0.0.1').matchedRule).toBe(
        '10.0.0.0/31',
      );
      expect(deny('10.0.0.1-10.0.0.2', '10.0.0.0/31').check('10.0.0.1').matchedRule).toBe(
        '10.0.0.1-10.0.0.2',
      );
      expect(deny('10.0.0.0/31', '10.0.0.1-10.0.0.2').check('10.0.0.1').matchedRule).toBe(
        '10.0.0.0/31',
      );
      expect(deny('1::/16', '1:0::/16', '1::/16').check('1::').matchedRule).toBe('1::/16');
    });

    it('names the best rule of the list that decides, not of both', () => {
      const filter = new IpFilter({
        denyList: ['10.0.0.0/8', '10.0.0.0/9'],
        allowList: ['10.0.0.1'],
      });
      expect(filter.check('10.0.0.1')).toStrictEqual(denied('10.0.0.0/9'));
    });
  });

  describe('addresses from the field', () => {
    it('case 13: does not match an impossible address against a network next to it', () => {
      expect(deny('1.2.3.0/24').check('1.2.2.355')).toStrictEqual(DEFAULT_ALLOW);
    });

    it('case 14, 17: takes other digits and white space for no address', () => {
      const filter = deny('192.168.1.1', '97.2.3.4');
      expect(filter.check('１９２.１６８.１.１').reason).toBe('default');
      expect(filter.check(' 1.2.3.4').reason).toBe('default');
      expect(filter.check('192.168.1.1\n').reason).toBe('default');
    });

    it('case 18: answers half a million characters like any other text', () => {
      expect(deny('::/0').check('ffff:'.repeat(100_000))).toStrictEqual(DEFAULT_ALLOW);
    });

    it('case 20: does not take a plain IPv6 address for an IPv4 one', () => {
      const filter = deny('172.25.200.14', '127.0.0.1', '1.2.3.4');
      expect(filter.check('2001:718:1404:c8:0:ffff:ac19:c80e').reason).toBe('default');
      expect(filter.check('2001:db8:1:1:0:ffff:7f00:1').reason).toBe('default');
      expect(filter.check('dead::ffff:1.2.3.4').reason).toBe('default');
    });

    it('case 21: matches a mapped client against an IPv4 rule', () => {
      const filter = new IpFilter({ allowList: ['127.0.0.1'], defaultAction: 'deny' });
      expect(filter.check('::ffff:127.0.0.1')).toStrictEqual(allowed('127.0.0.1'));
    });

    it('case 23: denies a mapped client in hexadecimal', () => {
      expect(deny('127.0.0.0/8').check('::ffff:7f00:1').allowed).toBe(false);
    });

    it('case 26, 27, 28: does not unwrap NAT64 and 6to4 addresses', () => {
      const filter = deny('169.254.0.0/16');
      for (const ip of ['64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::', '64:ff9b:1:a9fe:a9:fe00::']) {
        expect(filter.check(ip)).toStrictEqual(DEFAULT_ALLOW);
      }
      expect(deny('64:ff9b::/96').check('64:ff9b::a9fe:a9fe').allowed).toBe(false);
    });

    it.each(['fe80::1%eth0', 'fe80::1%6', 'fe80::1%', 'fe80::1% :', '1.2.3.4%eth0'])(
      'case 30, 31: takes %s for no address, since zones belong to the resolver',
      (ip) => {
        expect(deny('fe80::/10', '1.2.3.4').check(ip)).toStrictEqual(DEFAULT_ALLOW);
      },
    );

    it('takes what is not a string for no address', () => {
      const filter = new IpFilter({ allowList: ['0.0.0.0/0', '::/0'], defaultAction: 'deny' });
      for (const value of [
        null,
        0,
        2130706433,
        {},
        [],
        ['1.2.3.4'],
        Symbol('ip'),
        '\ud800',
        '::\udc00',
      ]) {
        expect(filter.check(value as string)).toStrictEqual(DEFAULT_DENY);
        expect(filter.isAllowListed(value as string)).toBe(false);
      }
    });
  });

  describe('rules from the field', () => {
    it('case 36, 37, 38, 40, 41, 51, 56, 57: names every bad rule at once, with its list, index, text and reason', () => {
      expect(
        problemsOf({
          denyList: ['10.0.0.0/8', '10.0.0.0/33', '10.0.0.*', '10.0.0.0/ 24', '300.0.0.0/8'],
          allowList: ['010.0.0.0/8', '::1', '10.0.0.9-10.0.0.1', 'fe80::1%eth0', 'example.com', ''],
        }),
      ).toEqual([
        'Cannot parse CIDR "10.0.0.0/33" in denyList[1]: prefix is over 32',
        'Cannot parse IP address "10.0.0.*" in denyList[2]: wildcards are not supported, write 10.0.0.0/24',
        'Cannot parse CIDR "10.0.0.0/ 24" in denyList[3]: it holds white space',
        'Cannot parse CIDR "300.0.0.0/8" in denyList[4]: "300.0.0.0" has an octet over 255',
        'Cannot parse CIDR "010.0.0.0/8" in allowList[0]: "010.0.0.0" has an octet with a leading zero',
        'Cannot parse IP range "10.0.0.9-10.0.0.1" in allowList[2]: its first address is after its last',
        'Cannot parse IP address "fe80::1%eth0" in allowList[3]: a zone id has no meaning in a rule',
        'Cannot parse IP address "example.com" in allowList[4]: "example.com" is not an IPv4 or IPv6 address',
        'Cannot parse IP address "" in allowList[5]: it is empty',
      ]);
    });

    it('names rules that are no strings, and cuts a long text', () => {
      const problems = problemsOf({ denyList: [null, 5, undefined, ['::1'], '1'.repeat(500_000)] });
      expect(problems.slice(0, 4)).toEqual([
        'Cannot parse rule in denyList[0]: it is null, not a string',
        'Cannot parse rule in denyList[1]: it is of type number, not a string',
        'Cannot parse rule in denyList[2]: it is of type undefined, not a string',
        'Cannot parse rule in denyList[3]: it is of type object, not a string',
      ]);
      expect(problems[4]).toMatch(
        /^Cannot parse IP address "1{100}…" in denyList\[4\]: it has 500000 /,
      );
    });

    it('refuses an option that nobody reads, by name', () => {
      expect(() => new IpFilter({}, { log: console } as never)).toThrow(
        'Unknown key "log" in the options of IpFilter',
      );
    });

    it('refuses a key that nobody reads, by name: a list that is misspelt would let everybody in', () => {
      expect(problemsOf({ denylist: ['1.1.1.1'] })).toEqual([
        'Unknown key "denylist" in the IP filter, did you mean "denyList"?',
      ]);
      expect(problemsOf({ denyList: [], colour: 1 })).toEqual([
        'Unknown key "colour" in the IP filter',
      ]);
      const filter = deny('1.1.1.1');
      expect(() => filter.update({ denylist: [] } as never)).toThrow(GuardConfigError);
      expect(filter.check('1.1.1.1').allowed).toBe(false);
      const all = { allowList: [], denyList: [], defaultAction: 'allow', trustProxy: true };
      expect(problemsOf({ ...all, trustedProxyDepth: 2 })).toEqual([]);
    });

    it('refuses lists that are no arrays and an action that is none, which would otherwise allow everybody', () => {
      expect(problemsOf({ denyList: '10.0.0.0/8' })).toEqual([
        'Cannot read denyList: it is of type string, not an array',
      ]);
      expect(problemsOf({ allowList: null })).toEqual([
        'Cannot read allowList: it is null, not an array',
      ]);
      expect(problemsOf({ defaultAction: 'Deny' })).toEqual([
        `defaultAction must be 'allow' or 'deny', got "Deny"`,
      ]);
    });

    it('case 42: reads a mapped network as IPv4', () => {
      const filter = deny('::ffff:10.0.0.0/104');
      expect(filter.check('10.1.2.3').allowed).toBe(false);
      expect(filter.check('::ffff:10.1.2.3').allowed).toBe(false);
      expect(filter.check('11.0.0.0').allowed).toBe(true);
    });

    it('case 45: covers every IPv4 address by 0.0.0.0/0, mapped ones too, and no IPv6 one', () => {
      const filter = deny('0.0.0.0/0');
      for (const ip of ['0.0.0.0', '255.255.255.255', '::ffff:1.2.3.4', '::ffff:ffff:ffff']) {
        expect(filter.check(ip).allowed).toBe(false);
      }
      for (const ip of [
        '::',
        '::1',
        '::1.2.3.4',
        '2001:db8::',
        'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
      ]) {
        expect(filter.check(ip).allowed).toBe(true);
      }
    });

    it('case 46: covers every IPv6 address by ::/0, and no IPv4 one however it is spelled', () => {
      const filter = deny('::/0');
      for (const ip of ['::', '::1', '::1.2.3.4', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff']) {
        expect(filter.check(ip).allowed).toBe(false);
      }
      for (const ip of [
        '0.0.0.0',
        '1.2.3.4',
        '::ffff:1.2.3.4',
        '::ffff:102:304',
        '0:0:0:0:0:FFFF:0102:0304',
      ]) {
        expect(filter.check(ip).allowed).toBe(true);
      }
    });

    it('case 47, 48: masks host bits and warns once', () => {
      const warn = jest.fn();
      const filter = new IpFilter(
        {
          denyList: ['10.0.0.0/8', '192.168.1.123/24', '198.51.100.2/24'],
          allowList: ['2001:db8::1/64', '::ffff:10.1.2.3/104'],
        },
        { logger: { warn } },
      );
      expect(filter.check('192.168.1.7')).toStrictEqual(denied('192.168.1.123/24'));
      expect(filter.check('198.51.100.255')).toStrictEqual(denied('198.51.100.2/24'));
      expect(filter.check('192.168.2.123').reason).toBe('default');
      expect(warn.mock.calls).toEqual([
        [
          'IP rules have bits set after their prefix, read without them: ' +
            'denyList[1] "192.168.1.123/24" as 192.168.1.0/24, denyList[2] "198.51.100.2/24" as 198.51.100.0/24, ' +
            'allowList[0] "2001:db8::1/64" as 2001:db8::/64, allowList[1] "::ffff:10.1.2.3/104" as 10.0.0.0/8',
        ],
      ]);
    });

    it('shows ten masked rules and counts the rest, and warns of none without them', () => {
      const warn = jest.fn();
      new IpFilter(
        { denyList: Array.from({ length: 12 }, () => '10.0.0.1/8') },
        { logger: { warn } },
      );
      expect(warn).toHaveBeenCalledTimes(1);
      const message = (warn.mock.calls as string[][])[0]![0]!;
      expect(message.match(/as 10\.0\.0\.0\/8/g)).toHaveLength(10);
      expect(message).toMatch(/, … \(12 rules\)$/);
      warn.mockClear();
      new IpFilter({ denyList: ['10.0.0.0/8', '10.0.0.1', '::1-::2'] }, { logger: { warn } });
      expect(warn).not.toHaveBeenCalled();
    });

    it('case 49: matches a range and nothing outside it', () => {
      const filter = deny('10.0.0.1-10.0.0.10', '2001:db8::ffff-2001:db8::1:0:0:1');
      for (const ip of [
        '10.0.0.1',
        '10.0.0.3',
        '10.0.0.10',
        '2001:db8::ffff',
        '2001:db8::1:0:0:1',
        '2001:db8::1:0',
      ]) {
        expect(filter.check(ip).allowed).toBe(false);
      }
      for (const ip of [
        '192.168.0.3',
        '10.0.0.0',
        '10.0.0.11',
        '2001:db8::fffe',
        '2001:db8::1:0:0:2',
      ]) {
        expect(filter.check(ip).allowed).toBe(true);
      }
    });

    it('case 52: takes 1.1.1.1/32 and 1.1.1.1 for the same', () => {
      for (const rule of ['1.1.1.1/32', '1.1.1.1', '1.1.1.1-1.1.1.1']) {
        expect(deny(rule).check('1.1.1.1')).toStrictEqual(denied(rule));
        expect(deny(rule).check('1.1.1.0').allowed).toBe(true);
        expect(deny(rule).check('1.1.1.2').allowed).toBe(true);
      }
    });

    it('case 54: denies a mapped peer by an IPv4 network', () => {
      expect(deny('10.0.0.0/8').check('::ffff:10.1.1.1')).toStrictEqual(denied('10.0.0.0/8'));
    });

    it('reaches both ends of both address spaces', () => {
      const filter = deny(
        '0.0.0.0',
        '255.255.255.255',
        '::',
        'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
      );
      expect(filter.check('0.0.0.0').allowed).toBe(false);
      expect(filter.check('0.0.0.1').allowed).toBe(true);
      expect(filter.check('255.255.255.254').allowed).toBe(true);
      expect(filter.check('255.255.255.255').allowed).toBe(false);
      expect(filter.check('::').allowed).toBe(false);
      expect(filter.check('::1').allowed).toBe(true);
      expect(filter.check('ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe').allowed).toBe(true);
      expect(filter.check('ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff').allowed).toBe(false);
    });
  });

  describe('update', () => {
    it('replaces the lists and the default action', () => {
      const filter = new IpFilter({ denyList: ['10.0.0.1'], allowList: ['10.0.0.2'] });
      filter.update({ denyList: ['10.0.0.2'], defaultAction: 'deny' });
      expect(filter.check('10.0.0.1')).toStrictEqual(DEFAULT_DENY);
      expect(filter.check('10.0.0.2')).toStrictEqual(denied('10.0.0.2'));
      expect(filter.isAllowListed('10.0.0.2')).toBe(false);
    });

    it('leaves everything in force when the new configuration is wrong', () => {
      const filter = new IpFilter({ denyList: ['10.0.0.1'], defaultAction: 'deny' });
      const bad: IpFilterConfig = { denyList: ['10.0.0.2', '10.0.0.0/33'], defaultAction: 'allow' };
      expect(() => filter.update(bad)).toThrow('denyList[1]');
      expect(filter.check('10.0.0.1')).toStrictEqual(denied('10.0.0.1'));
      expect(filter.check('10.0.0.2')).toStrictEqual(DEFAULT_DENY);
    });

    it('leaves everything in force when the logger throws', () => {
      const logger = {
        warn: () => {
          throw new Error('logger is broken');
        },
      };
      const filter = new IpFilter({ denyList: ['10.0.0.1'] }, { logger });
      expect(() => filter.update({ denyList: ['10.0.0.2/8'] })).toThrow('logger is broken');
      expect(filter.check('10.0.0.1').allowed).toBe(false);
      expect(filter.check('10.0.0.2').allowed).toBe(true);
    });

    it('warns of masked rules of the new lists', () => {
      const warn = jest.fn();
      const filter = new IpFilter({}, { logger: { warn } });
      filter.update({ denyList: ['10.0.0.1/8'] });
      expect(warn).toHaveBeenCalledTimes(1);
    });
  });

  it('does not follow later changes of the arrays', () => {
    const denyList = ['10.0.0.1'];
    const filter = new IpFilter({ denyList });
    denyList[0] = '10.0.0.2';
    denyList.push('10.0.0.3');
    expect(filter.check('10.0.0.1')).toStrictEqual(denied('10.0.0.1'));
    expect(filter.check('10.0.0.3')).toStrictEqual(DEFAULT_ALLOW);
  });

  it('keeps two filters apart', () => {
    const one = deny('10.0.0.1');
    const other = deny('10.0.0.2');
    expect(one.check('10.0.0.2').allowed).toBe(true);
    expect(other.check('10.0.0.2').allowed).toBe(false);
    expect(one.check('10.0.0.1').allowed).toBe(false);
  });

  it('gives each check a result of its own', () => {
    const filter = new IpFilter({});
    expect(filter.check('::1')).not.toBe(filter.check('::1'));
  });
});
