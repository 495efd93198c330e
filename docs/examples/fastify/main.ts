/** Guard in a Fastify application: `npm run build && node docs/examples/fastify/main.ts`. Exit code 0 when every limit held. */
import { setTimeout as sleep } from 'node:timers/promises';

import { createGuardManager } from '@frontmcp/guard';
import { guardFastify } from '@frontmcp/guard-fastify';
import fastify from 'fastify';

import { config, exportOnce, search, slow, WORK_MS } from '../visitor/limits.ts';
import { visit } from '../visitor/visit.ts';

const manager = await createGuardManager({ config });

const app = fastify();
await app.register(guardFastify, { guard: manager });
app.get('/health', { config: { guard: false } }, () => ({ ok: true }));
app.get('/search', { config: { guard: search } }, () => ({ found: 3 }));
app.get('/export', { config: { guard: exportOnce } }, async () => {
  await sleep(WORK_MS);
  return { rows: 42 };
});
app.get('/slow', { config: { guard: slow } }, async (request) => {
  await sleep(WORK_MS, undefined, { signal: request.guard?.signal });
  return { done: true };
});

const address = await app.listen({ port: 0, host: '127.0.0.1' });
console.log('Fastify');
await visit(address);
await app.close();
await manager.destroy();
