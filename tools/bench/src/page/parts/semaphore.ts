import { panelOf } from '../../chart/bars-of.ts';
import { rowOf } from '../../findings.ts';
import type { PartPage } from '../part-page.ts';

const COSTS = /^\d/;

export const semaphorePage: PartPage = {
  title: 'Semaphore in memory',
  lead: `A slot is acquired and released while one is free; then fifty callers compete for five slots. Ours is the semaphore that also
works on Redis: each slot has a lease and an id, waiters queue in order, and a slot can be seen, counted and freed by others.`,
  chart: ({ groups }) => ({
    kind: 'bars',
    title: 'An acquire and its release in memory',
    subtitle:
      'CPU time ÷ that of a counter and a queue; less is better, the dashed line is the goal of 5 × async-sema',
    alt: 'Bars: CPU time of an acquire and its release of each semaphore, divided by that of a counter and a queue',
    panels: groups
      .filter(({ id }) => COSTS.test(id))
      .map((group) => panelOf(group, { goal: 5 * (rowOf(group, 'async-sema').ratio ?? NaN) })),
  }),
  tables: [
    { caption: 'CPU time ÷ the floor, and per acquire and release:', groups: COSTS },
    {
      caption: 'Fifty callers on five slots, each held 5 ms, in the process:',
      groups: /^waiting$/,
    },
  ],
  peers: {
    'counter and queue': 'No lease, no bound on the queue, no way to give up, one process.',
    'async-sema': 'No lease, no bound on its queue, no time limit, no way to give up, one process.',
    'async-mutex': 'No lease, no bound on its queue, one process.',
    'p-limit': 'No lease, no bound on its queue, no time limit, one process; runs functions only.',
    'cockatiel bulkhead':
      'No lease, no time limit for waiters, one process; a releaser that comes back overtakes the queue.',
  },
  reasons: {
    'semaphore-cost':
      'Two clock readings, an id, a lease in a list and the steps of a storage that others can use come to most of it ([performance](performance.md)). At 5 × there is no room for a lease that outlives its holder.',
    'semaphore-fair':
      'The queue is in order; what is longer is the moment at which all fifty begin.',
    'semaphore-throughput':
      'What is missing is the cost of a cycle, above, which the other callers wait for as well.',
  },
};
