import { createGuardManager, type GuardManager } from '@frontmcp/guard';
import {
  createDurableObjectStorage,
  GuardObject,
  type DurableObjectNamespaceBinding,
} from '@frontmcp/guard/durable-objects';
import { guardHono } from '@frontmcp/guard-hono';
import { Hono } from 'hono';

import { config, exportOnce, search, slow, WORK_MS } from '../visitor/limits.ts';

export { GuardObject };

interface Env {
  readonly Bindings: { readonly GUARD: DurableObjectNamespaceBinding };
}

/** Timers and calls of a Worker end with the request that began them, so each request has a manager. What is counted is in the object. */
const managerOf = ({ GUARD }: Env['Bindings']): Promise<GuardManager> =>
  createGuardManager({
    // A fallback to memory would be no limit in a manager that lives for one request.
    config: { ...config, storage: { fallback: 'error' } },
    storage: createDurableObjectStorage({ namespace: GUARD }),
  });

const guard = guardHono<Env>({
  guard: (c) => managerOf(c.env),
  remoteAddress: (c) => c.req.header('cf-connecting-ip'),
});
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const app = new Hono<Env>();
app.get('/health', guard.route(false), (c) => c.json({ ok: true }));
app.get('/search', guard.route(search), (c) => c.json({ found: 3 }));
app.get('/export', guard.route(exportOnce), async (c) => {
  await sleep(WORK_MS);
  return c.json({ rows: 42 });
});
app.get('/slow', guard.route(slow), async (c) => {
  await sleep(WORK_MS);
  c.get('guard')?.signal.throwIfAborted();
  return c.json({ done: true });
});
app.use(guard);

export default app;
