import { currentRequest, type Refusal } from '@frontmcp/guard-http';
import { createGuardManager, type GuardConfig, type GuardManager } from '@frontmcp/guard';
import { Hono, type Context, type Handler } from 'hono';
import { cors } from 'hono/cors';

import { guardHono } from './index.js';

let manager: GuardManager;

async function open(config: Omit<GuardConfig, 'enabled'>): Promise<GuardManager> {
  manager = await createGuardManager({ config: { enabled: true, ...config } });
  return manager;
}

afterEach(() => manager.destroy());

const one = { maxRequests: 1 };
const slot = { maxConcurrent: 1 };
const ok = (context: Context): Response => context.text('ok');

describe('guardHono', () => {
  test('needs no server, and types what it leaves in the context', async () => {
    const guard = await open({ defaultRateLimit: { maxRequests: 9 } });
    interface App {
      Bindings: { user: string };
    }
    const app = new Hono<App>();
    app.use(guardHono<App>({ guard, context: ({ env }) => ({ userId: env.user }) }));
    app.get('/', (c) => {
      const remaining: number | undefined = c.get('guard')?.rateLimits.entity?.remaining;
      const signal: AbortSignal | undefined = c.var.guard?.signal;
      return c.json({
        remaining,
        isAborted: signal?.aborted,
        user: currentRequest()?.context.userId,
      });
    });
    const response = await app.request('/', {}, { user: 'ann' });
    expect(await response.json()).toEqual({ remaining: 8, isAborted: false, user: 'ann' });
    expect(response.headers.get('ratelimit')).toMatch(/^"http";r=8;/);
  });

  test('keeps the headers that others have set, on an answer as on a refusal', async () => {
    const app = new Hono();
    app.use(async (c, next) => {
      c.header('x-before', '1');
      await next();
      c.header('x-after', '1');
    });
    app.use(guardHono({ guard: await open({ defaultRateLimit: one, defaultConcurrency: slot }) }));
    app.get('/', (c) => {
      c.header('set-cookie', 'a=1');
      c.header('set-cookie', 'b=2', { append: true });
      return c.text('ok', 201);
    });
    const answer = await app.request('/');
    expect([answer.status, await answer.text()]).toEqual([201, 'ok']);
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    const refused = await app.request('/');
    expect(refused.status).toBe(429);
    for (const { headers } of [answer, refused]) {
      expect([headers.get('x-after'), headers.get('ratelimit')]).toEqual(['1', expect.any(String)]);
    }
    expect(answer.headers.get('x-before')).toBe('1');
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
  });

  test('keeps what was said before the guard on a refusal, and nothing of a late handler', async () => {
    const guard = await open({});
    const app = new Hono();
    app.use(cors(), async (c, next) => {
      c.header('x-before', '1');
      await next();
    });
    app.get('/own', guardHono({ guard, entity: 'own', rateLimit: one }), ok);
    const onRefused = ({ status }: Refusal, c: Context): Response => c.text('no', status as 429);
    app.get('/other', guardHono({ guard, entity: 'other', rateLimit: one, onRefused }), ok);
    const late: Handler = async (c) => {
      c.header('x-late', '1');
      await new Promise((resolve) => setTimeout(resolve, 40));
      return c.text('late');
    };
    const timeout = { executeMs: 20 };
    app.get('/late', guardHono({ guard, timeout }), late);
    app.get('/other-late', guardHono({ guard, timeout, onRefused }), late);
    for (const path of ['/own', '/other', '/late', '/other-late']) {
      let response = await app.request(path);
      if (response.ok) response = await app.request(path);
      expect(response.status).toBe(path.endsWith('late') ? 408 : 429);
      const names = ['access-control-allow-origin', 'x-before', 'x-late'];
      expect(names.map((name) => response.headers.get(name))).toEqual(['*', '1', null]);
    }
  });

  test('says what is left once, on a response of any make', async () => {
    const app = new Hono();
    app.use(guardHono({ guard: await open({ defaultRateLimit: { maxRequests: 9 } }) }));
    app.get('/own', (c) => c.text('ok'));
    app.get('/raw', () => new Response('ok'));
    app.get('/fixed', () => Response.redirect('http://localhost/'));
    app.get('/listed', (c) => {
      c.header('ratelimit', '"other";r=1');
      return c.text('ok');
    });
    const limits: (string | null)[] = [];
    for (const path of ['/own', '/raw', '/fixed', '/missing', '/listed']) {
      limits.push((await app.request(path)).headers.get('ratelimit'));
    }
    expect(limits).toEqual([
      expect.stringMatching(/^"http";r=8;t=\d+$/),
      expect.stringMatching(/^"http";r=7;t=\d+$/),
      expect.stringMatching(/^"http";r=6;t=\d+$/),
      expect.stringMatching(/^"http";r=5;t=\d+$/),
      expect.stringMatching(/^"other";r=1, "http";r=4;t=\d+$/),
    ]);
  });

  test('says what is left on the answer to an error, and gives the slot back', async () => {
    const app = new Hono();
    app.use(guardHono({ guard: await open({ defaultConcurrency: slot }) }));
    app.onError((error, c) => c.text(error.message, 418));
    app.get('/', () => {
      throw new Error('Teapot');
    });
    for (const _ of [1, 2]) {
      const response = await app.request('/');
      expect([response.status, await response.text()]).toEqual([418, 'Teapot']);
      expect(response.headers.get('ratelimit-policy')).toMatch('http-concurrency');
    }
  });

  test('passes on what is no Error, and gives the slot back', async () => {
    const app = new Hono();
    app.use(guardHono({ guard: await open({ defaultConcurrency: slot }) }));
    app.get('/', () => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- what is no Error goes another way through Hono
      throw 'Thrown';
    });
    for (const _ of [1, 2]) await expect(app.request('/')).rejects.toBe('Thrown');
  });

  test.each<[string, (moment: () => Promise<void>) => Promise<string>]>([
    ['answers at once', () => Promise.resolve('late')],
    ['throws at once', () => Promise.reject(new Error('Cancelled'))],
    [
      'throws when it has cleaned up',
      async () => {
        for (let step = 0; step < 50; step += 1) await Promise.resolve();
        throw new Error('Cancelled');
      },
    ],
    [
      'answers later',
      async (moment) => {
        await moment();
        return 'late';
      },
    ],
  ])('answers a late request in the place of its handler: %s', async (_name, end) => {
    const app = new Hono();
    const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));
    let handled: Promise<unknown> | undefined;
    app.use(async (_c, next) => {
      await next();
      await handled?.catch(() => undefined);
      await moment();
    });
    app.use(guardHono({ guard: await open({}), timeout: { executeMs: 20 } }));
    app.onError((_error, c) => c.text('error', 500, { 'x-late': '1' }));
    app.get('/', async (c) => {
      await new Promise((resolve) => c.get('guard')?.signal.addEventListener('abort', resolve));
      handled = end(moment);
      return c.text((await handled) as string, 200, { 'x-late': '1' });
    });
    const response = await app.request('/');
    expect([response.status, response.headers.get('x-late')]).toEqual([408, null]);
    expect(await response.json()).toMatchObject({ code: 'EXECUTION_TIMEOUT' });
  });

  test('gives the slot of a HEAD request back, whose body Hono drops', async () => {
    const app = new Hono();
    app.use(guardHono({ guard: await open({ defaultConcurrency: slot }) }));
    app.get('/', ok);
    for (const _ of [1, 2]) {
      const response = await app.request('/', { method: 'HEAD' });
      expect([response.status, response.body]).toEqual([200, null]);
    }
  });

  test('lets a route decide before the guard, and adds its limits after it', async () => {
    const guard = await open({ defaultRateLimit: { maxRequests: 2 } });
    const app = new Hono();
    const guarded = guardHono({ guard });
    app.use('/free', guarded.route(false));
    app.use('/own', guarded.route({ entity: 'own', rateLimit: one }));
    app.use(guarded);
    app.use(guarded);
    app.get('/free', ok);
    app.get('/own', ok);
    app.get('/more', guarded.route({ entity: 'more', rateLimit: one }), ok);
    for (const _ of [1, 2, 3]) {
      expect((await app.request('/free')).headers.get('ratelimit')).toBeNull();
    }
    expect((await app.request('/own')).headers.get('ratelimit')).toMatch(/^"own";r=0;t=\d+$/);
    expect((await app.request('/own')).status).toBe(429);
    const limits = (await app.request('/more')).headers.get('ratelimit');
    expect(limits).toMatch(/"http";r=1/);
    expect(limits).toMatch(/"more";r=0/);
    expect((await app.request('/more')).headers.get('ratelimit')).toMatch(/"more";r=0/);
    expect(() => guarded.route({ entity: 'x', rateLimit: { maxRequests: -1 } })).toThrow('got -1');
  });

  test('guards a sub-application by its path, and one that has a guard of its own as well', async () => {
    const guard = await open({ defaultRateLimit: one });
    const app = new Hono();
    const sub = new Hono();
    sub.use(guardHono({ guard, entity: 'sub' }));
    sub.get('/', ok);
    app.use('/api/*', guardHono({ guard, entity: 'api' }));
    app.route('/api/sub', sub);
    app.get('/other', ok);
    expect((await app.request('/api/sub')).headers.get('ratelimit')).toMatch(
      /"sub";r=0.*"api";r=0/,
    );
    expect((await app.request('/api/sub')).status).toBe(429);
    for (const _ of [1, 2]) expect((await app.request('/other')).status).toBe(200);
  });
});
