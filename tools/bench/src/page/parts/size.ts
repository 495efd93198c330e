import { panelOf, sorted } from '../../chart/bars-of.ts';
import type { Row } from '../../findings.ts';
import type { PartPage } from '../part-page.ts';

export const sizePage: PartPage = {
  title: 'Size',
  lead: `What the simplest use of a library comes to when it is bundled by rolldown, minified and gzipped. Clients of stores, frameworks and
zod stay outside of every bundle.`,
  chart: ({ groups: [size] }) => ({
    kind: 'bars',
    title: 'The simplest use in a bundle',
    subtitle: 'KB, minified and gzipped; less is better',
    alt: 'Bars: size of a bundle with the simplest use of each package and of peers',
    panels:
      size === undefined
        ? []
        : [sorted(panelOf(size, { title: '', value: ({ median }) => median, name: nameOf }))],
  }),
  tables: [{ caption: 'KB of 1,000 bytes:', groups: /^size$/ }],
  peers: {
    'rate-limiter-flexible': 'Brings its limiters for every store.',
    '@upstash/ratelimit': 'Works with one store.',
    'express-rate-limit': 'For Express; with memory.',
    'hono-rate-limiter': 'For Hono; with memory.',
    '@fastify/rate-limit': 'For Fastify; with memory.',
    limiter: 'One bucket, no keys.',
    'async-sema': 'One process, no lease.',
    'redis-semaphore': 'Works with Redis only.',
    cockatiel: 'One process, no lease.',
    'p-timeout': 'Gives the function no signal.',
  },
  reasons: {
    'size-rate-limit':
      'The Lua twin of the algorithm is a fifth of it; the checks of keys and options with their messages, and the errors, come along too. Less needs the twin to be loaded by the adapters for Redis.',
    'size-umbrella':
      'A manager holds every kind of limit. The Lua twins alone are some 7 KB of it, and would have to be loaded by the adapters for Redis; the semaphore for storages without steps, which is another part, likewise.',
  },
};

function nameOf({ name }: Row): string {
  return name
    .replace('@frontmcp/', '')
    .replace(', createGuardManager with', ',')
    .replace(', a manager on', ' with');
}
