import { panelOf } from '../../chart/bars-of.ts';
import type { Row } from '../../findings.ts';
import type { PartPage } from '../part-page.ts';

/** The goals: what a framework must keep. */
const KEPT: Readonly<Record<string, number>> = {
  'express-admitted': 0.85,
  'fastify-admitted': 0.88,
  'hono-admitted': 0.8,
};

const NAMES: Readonly<Record<string, string>> = {
  express: 'Express',
  fastify: 'Fastify',
  hono: 'Hono',
};

function nameOf({ name, ours }: Row): string {
  if (ours) return name.includes(',') ? 'guard, same fields' : 'guard';
  return name === 'no limiter' ? name : 'its own limiter';
}

export const httpPage: PartPage = {
  title: 'HTTP',
  lead: `A handler that answers a small JSON: with no limiter, with the framework's own, and with guard; once more with guard writing the
same header fields as the framework's own limiter. Each server runs in a process of its own and takes its turn with 32 connections of
autocannon; memory storage, one rate limit by address, everybody's default headers on. What counts is the share of the throughput
that is left, by the CPU time of the server per request: requests a second on a shared machine say less.`,
  chart: ({ groups }) => ({
    kind: 'bars',
    title: 'The share of the throughput that a limiter leaves',
    subtitle:
      'By CPU time of the server per request; ÷ no limiter; more is better, the dashed line is the goal',
    alt: 'Bars: the share of the throughput of Express, Fastify and Hono that is left with each limiter',
    panels: groups
      .filter(({ id }) => id.endsWith('admitted'))
      .map((group) =>
        panelOf(group, {
          title: group.title.replace(', admitted', ''),
          goal: KEPT[group.id] ?? 1,
          name: nameOf,
        }),
      ),
  }),
  tables: ['express', 'fastify', 'hono'].flatMap((framework) => [
    { caption: `${NAMES[framework] ?? ''}, admitted:`, groups: RegExp(`^${framework}-admitted$`) },
    {
      caption: 'The same without the network: in turns in one process, over connections in memory:',
      groups: RegExp(`^${framework}.*-in-process$`),
    },
    { caption: `${NAMES[framework] ?? ''}, refused:`, groups: RegExp(`^${framework}-refused$`) },
  ]),
  peers: {
    'no limiter': 'Limits nothing.',
    'express-rate-limit':
      'Fixed window; counts refused requests; trusts the address that Express gives.',
    '@fastify/rate-limit': 'Fixed window; counts refused requests; forgets callers beyond 5,000.',
    'hono-rate-limiter':
      'Fixed window; counts refused requests; the caller must say who the client is.',
  },
  reasons: {
    'http-express':
      'Guard looks for the client behind proxies, and asks a manager for a limit that could be elsewhere ([performance](performance.md)).',
    'http-fastify':
      'The hooks, the manager with its limit and the header fields are a large part of so short a request ([performance](performance.md)).',
    'http-hono':
      'What guard and the header fields cost is a large part of so short a request ([performance](performance.md)).',
    'http-express-own':
      'The own limiter counts in a map and awaits nothing that could be elsewhere.',
    'http-fastify-own':
      'The own limiter counts in a map and awaits nothing that could be elsewhere.',
    'http-hono-own': 'The own limiter counts in a map and awaits nothing that could be elsewhere.',
  },
};
