import type { Behaviour, Report } from './behaviour.ts';

const config = {
  allowList: ['10.0.0.0/8', '2001:db8::/32', '192.0.2.10-192.0.2.20'],
  denyList: ['10.6.6.6', '2001:db8:6::/48'],
  defaultAction: 'deny',
} as const;

const verdicts = {
  '10.1.2.3': 'allowlisted 10.0.0.0/8',
  '10.6.6.6': 'denylisted 10.6.6.6',
  '::ffff:10.1.2.3': 'allowlisted 10.0.0.0/8',
  '::ffff:10.6.6.6': 'denylisted 10.6.6.6',
  '192.0.2.20': 'allowlisted 192.0.2.10-192.0.2.20',
  '192.0.2.21': 'default',
  '2001:db8:5::1': 'allowlisted 2001:db8::/32',
  '2001:0DB8:0006:0:0:0:0:1': 'denylisted 2001:db8:6::/48',
  '2001:db9::1': 'default',
  'fe80::1%eth0': 'default',
  '10.1.2.3:443': 'default',
};

export const ipFilter: Behaviour = {
  name: 'IP filter',
  expected: { verdicts, badRule: 'GUARD_CONFIG_INVALID' },
  observe({ guard }) {
    const filter = new guard.IpFilter(config);
    const seen = Object.keys(verdicts).map((ip) => {
      const { reason, matchedRule } = filter.check(ip);
      return [ip, [reason, matchedRule].filter(Boolean).join(' ')];
    });
    return Promise.resolve({
      verdicts: Object.fromEntries(seen) as Report,
      badRule: badRule(guard),
    });
  },
};

function badRule({ IpFilter }: Parameters<Behaviour['observe']>[0]['guard']): unknown {
  try {
    return new IpFilter({ denyList: ['10.0.0.0/33'] });
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
}
