import { panelOf } from '../../chart/bars-of.ts';
import type { PartPage } from '../part-page.ts';

const CHECKS = /^check-/;

export const redisPage: PartPage = {
  title: 'Redis',
  lead: `A \`redis-server\` of the benchmark's own on loopback, every contender by ioredis over a connection of its own, a thousand keys in
turn. Ours is a limiter on what \`createStorage\` makes: bound in time, its failure dealt with. Speed counts, so more is better.`,
  chart: ({ groups }) => ({
    kind: 'bars',
    title: 'A check on Redis, beside a bare EVALSHA',
    subtitle:
      'Speed ÷ that of EVALSHA of `return 1` in the same rotation; more is better, the dashed line is level with it',
    alt: 'Bars: speed of a check of each limiter, divided by that of a trivial script',
    panels: groups
      .filter(({ id }) => CHECKS.test(id))
      .map((group) =>
        panelOf(group, { title: group.title.replace(/^Redis: check, [\d,]+ keys, /, ''), goal: 1 }),
      ),
  }),
  tables: [
    { caption: 'Speed ÷ the floor, and time per check:', groups: CHECKS },
    {
      caption: 'What a check costs the client:',
      groups: CHECKS,
      cells: ['client CPU × floor', 'client CPU, µs'],
    },
    {
      caption:
        'One key over its limit, asked again and again, with what each limiter remembers of it:',
      groups: /^hot-key$/,
    },
    { caption: 'A slot taken and given back, nobody else there:', groups: /^slots-/ },
  ],
  peers: {
    'EVALSHA of `return 1`': 'A script that does nothing: the floor.',
    'INCR alone': 'Counts, and knows no limit and no window.',
    'rate-limiter-flexible (fixed)':
      'Fixed window; counts denied calls; the time is in the key’s expiry only; no bound in time of its own.',
    'rate-limit-redis (fixed)': 'Fixed window; counts denied calls; no memory of denied keys.',
    '@upstash/ratelimit (sliding)':
      'Sliding window by the clients’ clocks; runs here without the flag in its scripts that a Redis refuses.',
    'two EVALSHAs of `return 1`': 'Two scripts that do nothing: the floor.',
    'redis-semaphore': 'Leases by the clients’ clocks; waiters poll; no order among them.',
  },
  reasons: {},
};
