import type { Requirement } from './requirement.ts';

/** Rows in short: id, sentence, source; tested unless said otherwise. */
const rows: readonly [
  id: string,
  sentence: string,
  source: string,
  status?: Requirement['status'],
][] = [
  ['GM-01', 'createGuardManager builds a GuardManager from one configuration object', 'On its own'],
  [
    'GM-02',
    'Without a storage configuration the counters are in memory, one set per process, and the logger is warned',
    'On its own',
  ],
  [
    'GM-03',
    'checkIpFilter gives an IpFilterResult, or undefined when there is no ipFilter',
    'Guard manager',
  ],
  ['GM-04', 'isIpAllowListed says whether the IP is on the allow list', 'Guard manager'],
  [
    'GM-05',
    'checkRateLimit gives a RateLimitResult; with no config and no defaultRateLimit it always allows',
    'Guard manager',
  ],
  ['GM-06', 'checkGlobalRateLimit gives a RateLimitResult against global', 'Guard manager'],
  [
    'GM-07',
    'acquireSemaphore gives a ticket, or null when no slot is free or there is no limit to apply',
    'Guard manager',
  ],
  [
    'GM-08',
    'acquireGlobalSemaphore gives a ticket against globalConcurrency, or null',
    'Guard manager',
  ],
  ['GM-09', 'destroy disconnects the storage', 'Guard manager'],
  ['GM-10', 'createGuardManager creates the storage and connects it', 'Guard manager'],
  [
    'GM-11',
    'A configuration passed for one entity replaces the default; it does not add to it',
    'Guard manager',
  ],
  [
    'GM-12',
    'The global limits apply to every call, the defaults to an entity that does not pass its own',
    'Guard manager',
  ],
  [
    'GM-13',
    'The checks do not apply defaultTimeout themselves: it is read from guard.config',
    'Guard manager',
  ],
  [
    'GM-14',
    'createGuardManager does not read enabled: the single checks work when it is false',
    'Configuration reference',
  ],
  [
    'GM-15',
    "keyPrefix is 'mcp:guard:' by default, and a trailing colon is dropped",
    'Configuration reference',
  ],
  ['GM-16', 'windowMs is 60000 by default', 'Configuration reference'],
  [
    'GM-17',
    "partitionBy is 'global' by default, for rates and for slots",
    'Configuration reference',
  ],
  ['GM-18', 'queueTimeoutMs is 0 by default, which refuses at once', 'Configuration reference'],
  [
    'GM-19',
    "defaultAction is 'allow', trustProxy false and trustedProxyDepth 1 by default",
    'Configuration reference',
  ],
  [
    'GM-20',
    'Keys are written as prefix, entity, partition and kind with one colon after the prefix',
    'Storage',
  ],
  [
    'GM-21',
    'createGuardManager throws GuardStorageUnsupportedError when a concurrency limit is configured and the storage cannot compare-and-delete or -expire',
    'Concurrency control',
  ],
  [
    'GM-22',
    'acquireSemaphore throws QueueTimeoutError when it waited and no slot freed up',
    'Errors',
  ],
  ['GM-23', 'Errors have the codes and statuses of the table', 'Errors'],
  [
    'GM-24',
    'Everything of the API reference is exported from the root of the umbrella',
    'API reference',
  ],
  ['GM-25', 'The schemas are zod 4 schemas', 'Install, API reference'],
  [
    'GM-26',
    'rateLimit, concurrency and timeout are options of a tool, and throttle of a server',
    'In a FrontMCP server',
  ],
  [
    'GM-27',
    'trustProxy takes the client IP from X-Forwarded-For, else FRONTMCP_TRUST_PROXY decides',
    'IpFilterConfig',
  ],
  ['GM-28', 'trustedProxyDepth says how many proxies append to X-Forwarded-For', 'IpFilterConfig'],
  [
    'GM-29',
    'The checks reject with GuardStorageUnavailableError when the storage cannot be reached',
    'Errors',
  ],
  [
    'GM-30',
    'The partition strategies of the configuration decide which calls share a count',
    'Partition keys',
  ],
];

export const guardManagerRequirements: readonly Requirement[] = rows.map(
  ([id, sentence, source, status = 'tested']) => ({ id, sentence, source, status }),
);
