import { Hono } from 'hono';

import type { Behaviour } from './behaviour.ts';

export const honoApp: Behaviour = {
  name: 'Hono application',
  expected: { statuses: [200, 429, 200], body: 'hello', code: 'CONCURRENCY_LIMIT' },
  async observe({ guard, hono }, { storage }) {
    const manager = await guard.createGuardManager({
      config: { enabled: true, keyPrefix: `${crypto.randomUUID()}:` },
      storage,
    });
    const app = new Hono();
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    let enter = (): void => undefined;
    const entered = new Promise<void>((resolve) => (enter = resolve));
    app.use(hono.guardHono({ guard: manager, concurrency: { maxConcurrent: 1 } }));
    app.get('/', async (c) => {
      enter();
      await opened;
      return c.text('hello');
    });
    const first = app.request('/');
    await entered;
    const second = await app.request('/');
    open();
    const response = await first;
    // The slot goes back when the body has been read.
    const body = await response.text();
    const third = await app.request('/');
    await third.text();
    await manager.destroy();
    return {
      statuses: [response.status, second.status, third.status],
      body,
      code: ((await second.json()) as { code?: unknown }).code,
    };
  },
};
