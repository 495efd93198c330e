import type { Requirement } from './requirement.ts';

/** What the public contract promises about `DistributedSemaphore`, its tickets and its errors. */
export const semaphoreRequirements: readonly Requirement[] = [
  {
    id: 'SEM-01',
    sentence: 'DistributedSemaphore limits how many executions run at once for a key.',
    source: 'Concurrency control',
    status: 'tested',
  },
  {
    id: 'SEM-02',
    sentence: 'The key has maxConcurrent slots, each stored as its own key.',
    source: 'Concurrency control',
    status: 'deviates: ADR-005',
  },
  {
    id: 'SEM-03',
    sentence:
      "An execution claims a free slot with a write-if-absent that carries its ticket's time to live.",
    source: 'Concurrency control',
    status: 'deviates: ADR-005',
  },
  {
    id: 'SEM-04',
    sentence: 'The time to live of a ticket is 300 seconds by default.',
    source: 'Concurrency control',
    status: 'tested',
  },
  {
    id: 'SEM-05',
    sentence: 'A slot is held until release() is called, and free afterwards.',
    source: 'Concurrency control',
    status: 'tested',
  },
  {
    id: 'SEM-06',
    sentence: 'An execution renews the time to live every third of it until it calls release().',
    source: 'Concurrency control',
    status: 'tested',
  },
  {
    id: 'SEM-07',
    sentence: 'The slot is held for as long as the execution runs.',
    source: 'Concurrency control',
    status: 'tested',
  },
  {
    id: 'SEM-08',
    sentence: 'The time to live only frees the slot of a process that died without releasing it.',
    source: 'Concurrency control',
    status: 'tested',
  },
  {
    id: 'SEM-09',
    sentence: 'Releasing only touches a slot that still holds the same ticket.',
    source: 'Concurrency control',
    status: 'tested',
  },
  {
    id: 'SEM-10',
    sentence: 'Renewing only touches a slot that still holds the same ticket.',
    source: 'Concurrency control',
    status: 'tested',
  },
  {
    id: 'SEM-11',
    sentence:
      'When every slot is taken, a caller can wait for one, polling every 100 ms at first and backing off to once a second.',
    source: 'Concurrency control',
    status: 'deviates: ADR-005',
  },
  {
    id: 'SEM-12',
    sentence:
      'If the storage supports publish/subscribe, a released slot wakes waiting callers at once.',
    source: 'Concurrency control',
    status: 'deviates: ADR-005',
  },
  {
    id: 'SEM-13',
    sentence: 'The semaphore works on memory, Redis, Upstash and Vercel KV storage.',
    source: 'Concurrency control',
    status: 'tested',
  },
  {
    id: 'SEM-14',
    sentence:
      'Memory, Redis, and Upstash with publish/subscribe turned on support publish/subscribe.',
    source: 'Concurrency control',
    status: 'tested',
  },
  {
    id: 'SEM-15',
    sentence:
      'With an adapter without an atomic compare-and-delete and compare-and-expire, acquire() throws GuardStorageUnsupportedError.',
    source: 'Concurrency control',
    status: 'tested',
  },
  {
    id: 'SEM-16',
    sentence: 'The class takes a storage adapter and the time to live of a ticket in seconds.',
    source: 'Concurrency control',
    status: 'tested',
  },
  {
    id: 'SEM-17',
    sentence: 'acquire returns null when every slot is taken and the wait is 0.',
    source: 'Concurrency control',
    status: 'tested',
  },
  {
    id: 'SEM-18',
    sentence: 'acquire throws QueueTimeoutError when it waited and no slot freed up.',
    source: 'Concurrency control',
    status: 'tested',
  },
  {
    id: 'SEM-19',
    sentence: 'getActiveCount(key) returns the number of taken slots.',
    source: 'Concurrency control',
    status: 'tested',
  },
  {
    id: 'SEM-20',
    sentence: 'forceReset(key) frees every slot.',
    source: 'Concurrency control',
    status: 'tested',
  },
  {
    id: 'SEM-21',
    sentence: 'QueueTimeoutError has the code QUEUE_TIMEOUT and the status 429.',
    source: 'Errors',
    status: 'tested',
  },
  {
    id: 'SEM-22',
    sentence: 'ConcurrencyLimitError has the code CONCURRENCY_LIMIT and the status 429.',
    source: 'Errors',
    status: 'tested',
  },
  {
    id: 'SEM-23',
    sentence: 'instanceof recognizes an error from another copy of the package.',
    source: 'Errors',
    status: 'tested',
  },
  {
    id: 'SEM-24',
    sentence:
      'acquire takes the key, the limit, how long to wait for a slot in ms, and the name used in error messages.',
    source: 'Concurrency control',
    status: 'tested',
  },
];
