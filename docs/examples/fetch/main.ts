/**
 * Guard around a handler of web-standard requests, here served by Node: `npm run build && node docs/examples/fetch/main.ts`. Exit code
 * 0 when every limit held.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { createGuardManager } from '@frontmcp/guard';
import { guardFetch, guardOfRequest } from '@frontmcp/guard-http';
import { createAdaptorServer } from '@hono/node-server';

import { config, exportOnce, search, slow, WORK_MS } from '../visitor/limits.ts';
import { visit } from '../visitor/visit.ts';

const routes = {
  '/search': search,
  '/export': exportOnce,
  '/slow': slow,
  '/health': false,
} as const;

const pathOf = (request: Request): string => new URL(request.url).pathname;

async function answer(request: Request): Promise<Response> {
  switch (pathOf(request)) {
    case '/health':
      return Response.json({ ok: true });
    case '/search':
      return Response.json({ found: 3 });
    case '/export':
      await sleep(WORK_MS);
      return Response.json({ rows: 42 });
    case '/slow':
      await sleep(WORK_MS, undefined, { signal: guardOfRequest(request)?.signal });
      return Response.json({ done: true });
    default:
      return Response.json({ error: 'not found' }, { status: 404 });
  }
}

const manager = await createGuardManager({ config });
const handler = guardFetch(answer, {
  guard: manager,
  limits: (request) => routes[pathOf(request) as keyof typeof routes],
});

const server = createAdaptorServer({ fetch: handler }).listen(0, '127.0.0.1');
await once(server, 'listening');
console.log('fetch handler');
await visit(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
server.close();
await manager.destroy();
