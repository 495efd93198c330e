/** Guard in an Express application: `npm run build && node docs/examples/express/main.ts`. Exit code 0 when every limit held. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { createGuardManager } from '@frontmcp/guard';
import { guardExpress } from '@frontmcp/guard-express';
import express, { type ErrorRequestHandler } from 'express';

import { config, exportOnce, search, slow, WORK_MS } from '../visitor/limits.ts';
import { visit } from '../visitor/visit.ts';

const manager = await createGuardManager({ config });
const guard = guardExpress({ guard: manager });

const app = express();
app.get('/health', guard.route(false), (_request, response) => {
  response.json({ ok: true });
});
app.get('/search', guard.route(search), (_request, response) => {
  response.json({ found: 3 });
});
app.get('/export', guard.route(exportOnce), async (_request, response) => {
  await sleep(WORK_MS);
  response.json({ rows: 42 });
});
app.get('/slow', guard.route(slow), async (request, response) => {
  await sleep(WORK_MS, undefined, { signal: request.guard?.signal });
  response.json({ done: true });
});
// Whatever comes this far is held to the defaults.
app.use(guard);
// Work that gave up because its request had: the guard has answered, and hears here that the work is done.
const givenUp: ErrorRequestHandler = (error, request, response, next) => {
  if (request.guard?.signal.aborted === true) response.end();
  else next(error);
};
app.use(givenUp);

const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
console.log('Express');
await visit(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
server.close();
server.closeAllConnections();
await manager.destroy();
