import type { Requirement } from './requirement.ts';

export const coreRequirements: readonly Requirement[] = [
  {
    id: 'ERR-01',
    sentence:
      'Every error extends GuardError, which has a machine-readable code and an HTTP status',
    source: 'Errors',
    status: 'tested',
  },
  {
    id: 'ERR-02',
    sentence:
      'instanceof GuardError recognizes an error from another copy of the package in the process',
    source: 'Errors',
    status: 'tested',
  },
  {
    id: 'KEY-01',
    sentence: 'buildStorageKey(entity, partition, suffix?) joins the three',
    source: 'API reference, Storage',
    status: 'tested',
  },
  {
    id: 'PK-01',
    sentence: 'global, the default, shares one count among all calls',
    source: 'Partition keys',
    status: 'tested',
  },
  {
    id: 'PK-02',
    sentence: 'ip shares a count among calls from the same client address',
    source: 'Partition keys',
    status: 'tested',
  },
  {
    id: 'PK-03',
    sentence: 'ip without an address goes by the user, and without either is one bucket',
    source: 'Partition keys',
    status: 'tested',
  },
  {
    id: 'PK-04',
    sentence: 'session shares a count among calls in the same session',
    source: 'Partition keys',
    status: 'tested',
  },
  {
    id: 'PK-05',
    sentence:
      'userId shares a count among calls by the same user, or in the same session without one',
    source: 'Partition keys',
    status: 'tested',
  },
  {
    id: 'PK-06',
    sentence: 'partitionBy can be a function of the context',
    source: 'Partition keys',
    status: 'tested',
  },
  {
    id: 'PK-07',
    sentence: 'ip takes every IPv6 address as a client of its own',
    source: 'Partition keys',
    status: 'deviates: ADR-006',
  },
  {
    id: 'PK-08',
    sentence: 'userId is the bare session id when there is no user',
    source: 'Partition keys',
    status: 'deviates: ADR-007',
  },
];
