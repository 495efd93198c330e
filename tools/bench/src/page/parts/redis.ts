import { panelOf, shortName } from '../../chart/bars-of.ts';
import type { Row } from '../../findings.ts';
import type { PartPage } from '../part-page.ts';

const CHECKS = /^check-\d+-(admitted|denied)$/;
const CLUSTER = /^check-.*-cluster$/;

export const redisPage: PartPage = {
  title: 'Redis',
  lead: `A \`redis-server\` of the benchmark's own on loopback, every contender by ioredis over a connection of its own, a thousand keys in
turn. Ours is a limiter on what \`createStorage\` makes: bound in time, its failure dealt with. Speed counts, so more is better. From
two in flight on, the checks of one turn of the event loop are one command. What a limiter remembers of denied keys is off, so that
a denied check asks the server, but where the table says so.`,
  chart: ({ groups }) => ({
    kind: 'bars',
    title: 'A check on Redis, beside a bare EVALSHA',
    subtitle:
      'Speed ÷ that of a script that does nothing; more is better, the dashed line is level with it',
    alt: 'Bars: speed of a check of each limiter, divided by that of a trivial script',
    panels: groups
      .filter(({ id }) => CHECKS.test(id))
      .map((group) =>
        panelOf(group, {
          title: group.title.replace(/^.*keys, |, admitted$/g, ''),
          name: nameOf,
          goal: 1,
        }),
      ),
  }),
  tables: [
    { caption: 'Speed ÷ the floor, and time a check:', groups: CHECKS },
    {
      caption: 'What a check costs the client, ÷ the floor:',
      groups: CHECKS,
      cells: ['client CPU × floor', 'client CPU, µs'],
    },
    {
      caption: 'On a cluster of three masters, speed ÷ the floor, and time a check:',
      groups: CLUSTER,
    },
    {
      caption: 'What a check on the cluster costs the client, ÷ the floor:',
      groups: CLUSTER,
      cells: ['client CPU × floor', 'client CPU, µs'],
    },
    {
      caption:
        'One key over its limit, asked again and again, with what each limiter remembers of it:',
      groups: /^hot-key$/,
    },
    { caption: 'A slot taken and given back, nobody else there:', groups: /^slots-/ },
    {
      caption:
        'A call that has a rate limit for all, one of its own, and a slot of each, over a link with a round trip of 1 ms:',
      groups: /^guarded-call$/,
    },
    {
      caption: 'From a release to the one who waits, on another connection:',
      groups: /^hand-over$/,
    },
    { caption: '50 callers of one process in line for 5 slots:', groups: /^waiting-50$/ },
    { caption: '200 callers of two processes in line for 10 slots:', groups: /^waiting-200$/ },
    {
      caption: '20 connections of four processes, a check under way on each:',
      groups: /^fleet-20$/,
    },
    { caption: '200 connections:', groups: /^fleet-200$/ },
    { caption: '1,000 connections:', groups: /^fleet-1000$/ },
  ],
  peers: {
    'EVALSHA of `return 1`': 'A script that does nothing: the floor.',
    'EVALSHA of `return 1`, auto-pipelined':
      'The same with `enableAutoPipelining` of ioredis, which sends what is asked for in one turn together.',
    'INCR alone': 'Counts, and knows no limit and no window.',
    'rate-limiter-flexible (fixed)':
      'Fixed window; counts denied calls; does not bound a call in time.',
    'rate-limiter-flexible (fixed), auto-pipelined':
      'The same with `enableAutoPipelining` of ioredis, which is off by default.',
    'rate-limit-redis (fixed), auto-pipelined':
      'The same with `enableAutoPipelining` of ioredis, which is off by default.',
    'rate-limit-redis (fixed)': 'Fixed window; counts denied calls; remembers no denied keys.',
    '@upstash/ratelimit (sliding)':
      'Sliding window by the clients’ clocks; two keys a caller, so no cluster; runs here without the flag in its scripts that a Redis refuses.',
    'two EVALSHAs of `return 1`': 'Two scripts that do nothing: the floor.',
    'rate-limiter-flexible × 2, redis-semaphore × 2':
      'One after another: what was counted stays counted when a later one refuses.',
    'rate-limit-redis × 2, redis-semaphore × 2':
      'One after another: what was counted stays counted when a later one refuses.',
    'BLPOP of a list of tokens':
      'No lease: a token of a process that dies is lost. A connection a waiter.',
    'redis-semaphore': 'Leases by the clients’ clocks; waiters poll; no order among them.',
    bottleneck: 'No lease for a slot; made for jobs, not for slots.',
  },
  reasons: {
    'redis-lone-check':
      'The script reads the server’s clock and weighs two windows: 3.5 µs of the server, against 2.5 of rate-limit-redis and 3 of rate-limiter-flexible, which count a fixed window. The rest is the bound in time and the deal with outages, which peers do not have: about a microsecond of the client. Faster would be a fixed window.',
    'redis-16-checks':
      'On a cluster each key is a command of its own, and of 16 in flight some five go to each node, so little is saved. One script for all keys of a node would be half as fast again; Redis advises against such scripts.',
    'redis-128-checks':
      'On a cluster each key is a command of its own, as with the peers; what is saved is writes, and how many depends on how the replies of the nodes come in.',
    'redis-128-floor':
      'On a cluster each key is a command of its own, as in the floor, and does more there.',
    'redis-client-cpu':
      'With nothing else under way no command is saved, and the bound in time and a larger reply cost a microsecond of the process.',
    'redis-hot-key': 'A map and a clock are asked for each answer, and a promise is made.',
    'redis-slot-flat':
      'The scripts do the same whatever the number of slots; the rest is the noise of groups that are not measured side by side.',
    'redis-call-speed':
      'Two round trips with nothing spent beside them, the floor, are 3 to 3.1 × as fast as the six of the peers. Ours spends a tenth more, on four limits; more would need a faster server or client, not fewer round trips.',
    'redis-slot-cost':
      'A slot has a lease by the server’s clock, and a queue of all processes in front of it: 9 µs of the server a cycle, where a sorted set by the clients’ clocks and a bare ZREM take 4.6 ([performance](performance.md)).',
    'redis-hand-over':
      'An idle machine takes some 0.3 ms to wake a process for a message, whoever sends it, and a busy one more.',
    'redis-waiting-fair':
      'The longest of some ten thousand waits is a moment at which the machine stood still; 99 in 100 are within 1.3 × the mean, and the order is that of arrival.',
    'redis-waiting-p99': 'The processes of one core wait for each other too.',
    'redis-waiting-commands': 'What is over two is the look that a waiter takes once a second.',
    'redis-waiting-throughput':
      'Order costs: a slot goes to whoever waits longest, wherever that is.',
  },
};

function nameOf({ name }: Row): string {
  const isPipelined = name.endsWith(', auto-pipelined');
  return `${shortName(name).replaceAll('`', '')}${isPipelined ? ', pipelined' : ''}`;
}
