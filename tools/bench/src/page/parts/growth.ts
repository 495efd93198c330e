import type { LineChart } from '../../chart/chart.ts';
import { ratioOf, type GroupResult } from '../../findings.ts';
import type { PartPage } from '../part-page.ts';

const KEYS = /^keys-/;
const RULES = /^rules-/;
const SLOTS = /^slots-/;

export const growthPage: PartPage = {
  title: 'Growth',
  lead: `What a call costs as its subject grows: a check with 1 to 10 million keys, an IP check with 1 to a million rules, a slot among 1 to
1,000, half of them held. Beside each runs the least code at the same size, since a large table waits for main memory whoever reads
it. Then a million keys expire at the same moment.`,
  chart: ({ groups }): LineChart => ({
    kind: 'lines',
    title: 'The cost of a call as its subject grows',
    subtitle: 'CPU time ÷ that of the floor of the same size, the smallest size = 1; flat is good',
    alt: 'Lines: the relative cost of a check, an IP check and a semaphore cycle over the number of keys, rules and slots',
    xTitle: 'keys, rules, slots',
    yTitle: '× the cost at the smallest size',
    lines: [
      lineOf(groups, KEYS, 'check', '@frontmcp/guard-rate-limit', 'hand-written on a Map'),
      lineOf(groups, RULES, 'IP check', '@frontmcp/guard-ip-filter', 'parsing alone'),
      lineOf(
        groups,
        SLOTS,
        'acquire and release',
        '@frontmcp/guard-semaphore',
        'counter and queue',
      ),
    ],
  }),
  tables: [
    { caption: 'A check:', groups: KEYS },
    { caption: 'An IP check, of an address in a rule:', groups: RULES },
    { caption: 'A slot, half of the others held:', groups: SLOTS },
    { caption: 'Expiry:', groups: /^expiry$/ },
  ],
  peers: {
    'hand-written on a Map': 'Keeps every key for ever; checks no argument.',
    'parsing alone': 'Looks nothing up.',
    'counter and queue': 'No lease, no order to be seen, one process.',
  },
  reasons: {
    'growth-keys':
      'A state is an object beside its key, so that a large table waits for main memory once more than the floor.',
    'growth-rules':
      'A search takes as many steps with a million rules as with a thousand; but the table outgrows the caches of the processor, and the addresses are spread over all of it, while parsing reads no table at all. The native trie and `net.BlockList` grow to twice and five times as much, [above](#ip-filter).',
    'growth-slots': 'The holders of a key are a `Map`, whose entries lie apart.',
    'growth-expiry': 'The sweeper goes round while entries expire.',
    'growth-pause':
      'A turn looks at a thousand entries and takes a fraction of that. The one long turn is V8, which rebuilds a `Map` at once when three quarters of a million places have become free. Less needs a table in several smaller ones.',
  },
};

function lineOf(
  groups: readonly GroupResult[],
  ids: RegExp,
  name: string,
  ours: string,
  floor: string,
): LineChart['lines'][number] {
  const points = groups
    .filter(({ id }) => ids.test(id))
    .map((group) => [Number(group.id.split('-')[1]), ratioOf(group, ours, floor)] as const);
  const smallest = points[0]?.[1] ?? NaN;
  return {
    name,
    points: points.map(([size, ratio]) => [size, Number((ratio / smallest).toFixed(3))]),
  };
}
