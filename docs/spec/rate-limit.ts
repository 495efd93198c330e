import type { Requirement } from './requirement.ts';

const SOURCE = 'Rate limiting';

export const rateLimitRequirements: readonly Requirement[] = [
  {
    id: 'RL-01',
    sentence:
      'Counts by two adjacent windows and weighs the previous one by how much of it still falls within the window length before now',
    source: SOURCE,
    status: 'tested',
  },
  {
    id: 'RL-02',
    sentence: 'Takes constant storage per key',
    source: SOURCE,
    status: 'tested',
  },
  {
    id: 'RL-03',
    sentence: 'Does not admit the double burst that a single fixed window allows at its edges',
    source: SOURCE,
    status: 'tested',
  },
  { id: 'RL-04', sentence: 'Windows are aligned to the clock', source: SOURCE, status: 'tested' },
  {
    id: 'RL-05',
    sentence:
      'The class takes a storage adapter; check takes the key, the maximum and the window in ms',
    source: SOURCE,
    status: 'tested',
  },
  {
    id: 'RL-06',
    sentence: 'An allowed check counts the request',
    source: SOURCE,
    status: 'tested',
  },
  {
    id: 'RL-07',
    sentence: 'allowed says whether the request can proceed',
    source: SOURCE,
    status: 'tested',
  },
  {
    id: 'RL-08',
    sentence: 'remaining is how many requests are left in this window',
    source: SOURCE,
    status: 'tested',
  },
  {
    id: 'RL-09',
    sentence: 'resetMs is how long until the current window ends',
    source: SOURCE,
    status: 'tested',
  },
  {
    id: 'RL-10',
    sentence: 'retryAfterMs says, when blocked, how long to wait',
    source: SOURCE,
    status: 'tested',
  },
  {
    id: 'RL-11',
    sentence: 'reset(key, windowMs) deletes the counters of a key',
    source: SOURCE,
    status: 'tested',
  },
];
