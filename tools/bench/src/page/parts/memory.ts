import { panelOf } from '../../chart/bars-of.ts';
import type { PartPage } from '../part-page.ts';

const CHECKS = /(admitted|denied)$/;

export const memoryPage: PartPage = {
  title: 'Rate limit in memory',
  lead: `An awaited check of a rate limit, the limiter's own call, on keys in random order. The floor is a hand-written sliding counter
on one \`Map\`: no validation, no expiry, one limit for all keys.`,
  chart: ({ groups }) => ({
    kind: 'bars',
    title: 'A check in memory, beside the least code that could do it',
    subtitle:
      'CPU time ÷ that of the hand-written floor; less is better, the dashed line is the goal of 1.15',
    alt: 'Bars: CPU time of a check of each limiter, divided by that of the floor',
    panels: groups
      .filter(({ id }) => CHECKS.test(id))
      .map((group) => panelOf(group, { goal: 1.15, cap: 4 })),
  }),
  tables: [
    { caption: 'CPU time ÷ the floor, and per call:', groups: CHECKS },
    {
      caption: 'What a key of a million keeps, each limiter in processes of its own:',
      groups: /^heap$/,
    },
  ],
  peers: {
    'hand-written on a Map': 'Keeps every key for ever; checks no argument; cannot be shared.',
    'hand-written with our nine fields':
      'The same floor with the nine fields of our answer, for comparison; the goals are set against the one above.',
    'express-rate-limit (fixed)':
      'Fixed window, twice the limit passes at its edge; counts denied calls; one result object for all callers of a key; cannot say when a denied call would pass.',
    'hono-rate-limiter (fixed)':
      'Fixed window; counts denied calls; one result object for all callers of a key; the comparison with the limit is left to the middleware.',
    'rate-limiter-flexible (fixed)':
      'Fixed window; counts denied calls; answers a denial by a rejection; a timer for each key.',
    'limiter (token bucket)':
      'One object a key, kept by the caller and never given back; answers with the tokens left, no time to wait.',
  },
  reasons: {
    'memory-floor':
      'The floor answers with three fields and ours with nine, and as a promise resolves to an answer, that is searched for a `then`: see the floor that answers as much. Beside that, validation and a store that serves any operation are a few ns ([performance](performance.md)). Less would need a smaller answer.',
    'memory-peers':
      'At 100,000 keys all wait for main memory, and a fixed window reads one object less. Ahead would need the counts in the table itself.',
    'memory-flexible':
      'At 100,000 keys most of the time is the wait for main memory, the same for both. With the keys in the cache it is more than twice.',
    'memory-heap': 'A state holds its window, two counts and its expiry.',
  },
  close:
    'The store of @fastify/rate-limit is not part of its public interface, and forgets keys beyond 5,000; it is measured in its server, below.',
};
