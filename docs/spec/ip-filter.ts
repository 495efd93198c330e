import type { Requirement } from './requirement.ts';

const section = 'IP filtering';
const configuration = 'Configuration reference, IpFilterConfig';

export const ipFilterRequirements: readonly Requirement[] = [
  {
    id: 'IP-01',
    sentence:
      'IpFilter checks a client IP against allow and deny lists of addresses and CIDR ranges, IPv4 and IPv6',
    source: section,
    status: 'tested',
  },
  {
    id: 'IP-02',
    sentence: 'An IPv4-mapped IPv6 address matches as the IPv4 address it maps',
    source: section,
    status: 'tested',
  },
  {
    id: 'IP-03',
    sentence: 'Matching is exact across the whole IPv6 address space',
    source: section,
    status: 'tested',
  },
  {
    id: 'IP-04',
    sentence: 'An IP on the deny list is refused, whatever the allow list says',
    source: section,
    status: 'tested',
  },
  {
    id: 'IP-05',
    sentence: 'After the deny list comes the allow list, then defaultAction',
    source: section,
    status: 'tested',
  },
  {
    id: 'IP-06',
    sentence:
      "An allow list on its own refuses nothing; with defaultAction 'deny' every other address is refused",
    source: section,
    status: 'tested',
  },
  {
    id: 'IP-07',
    sentence: 'A missing or unparseable IP matches no rule and gets defaultAction',
    source: section,
    status: 'tested',
  },
  {
    id: 'IP-08',
    sentence:
      'A result has allowed, reason and, when a rule decided, matchedRule as it was written',
    source: section,
    status: 'tested',
  },
  {
    id: 'IP-09',
    sentence: 'isAllowListed(ip) tells whether an IP is on the allow list',
    source: section,
    status: 'tested',
  },
  {
    id: 'IP-10',
    sentence: 'allowList holds addresses or CIDR ranges to allow, by default none',
    source: configuration,
    status: 'tested',
  },
  {
    id: 'IP-11',
    sentence: 'denyList holds addresses or CIDR ranges to refuse, by default none',
    source: configuration,
    status: 'tested',
  },
  {
    id: 'IP-12',
    sentence:
      "defaultAction, by default 'allow', is what happens to an IP on neither list or not known",
    source: configuration,
    status: 'tested',
  },
  {
    id: 'IP-13',
    sentence: 'IpBlockedError, code IP_BLOCKED, status 403, is for an IP on the deny list',
    source: 'Errors',
    status: 'tested',
  },
  {
    id: 'IP-14',
    sentence:
      'IpNotAllowedError, code IP_NOT_ALLOWED, status 403, is for one not on the allow list',
    source: 'Errors',
    status: 'tested',
  },
  {
    id: 'IP-15',
    sentence: 'IpFilter, IpBlockedError and IpNotAllowedError are exported from the package root',
    source: 'API reference',
    status: 'tested',
  },
  {
    id: 'IP-16',
    sentence: 'trustProxy true takes the client IP from X-Forwarded-For',
    source: configuration,
    status: 'tested',
  },
  {
    id: 'IP-17',
    sentence:
      'trustedProxyDepth, by default 1, is how many proxies in front of the server append to X-Forwarded-For',
    source: configuration,
    status: 'tested',
  },
];
