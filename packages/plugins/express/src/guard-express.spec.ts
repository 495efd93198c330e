import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { currentRequest } from '@frontmcp/guard-http';
import { createGuardManager, type GuardConfig, type GuardManager } from '@frontmcp/guard';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';

import { guardExpress } from './index.js';

let manager: GuardManager;
let server: Server | undefined;

async function open(config: Omit<GuardConfig, 'enabled'>): Promise<GuardManager> {
  manager = await createGuardManager({ config: { enabled: true, ...config } });
  return manager;
}

async function serve(app: Express): Promise<(path: string, init?: RequestInit) => Promise<Reply>> {
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return async (path, init) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  await manager.destroy();
});

const ok: RequestHandler = (_request, response) => void response.send('ok');
const one = { maxRequests: 1 };

describe('guardExpress', () => {
  test('knows the types of Express, with and without annotations', async () => {
    const guard = await open({ defaultRateLimit: { maxRequests: 9, partitionBy: 'userId' } });
    const app = express();
    app.use(
      guardExpress({ guard, context: (req) => ({ userId: req.headers['x-user'] as string }) }),
    );
    const annotated = guardExpress({
      guard,
      skip: (req: Request, res: Response) => req.path === '/free' && !res.headersSent,
      onRefused: (refusal, _req, res, next) => {
        if (refusal.status === 403) next();
        else res.status(refusal.status).json(refusal.problem);
      },
    });
    app.use('/annotated', annotated, annotated.route({ entity: 'x' }));
    app.get('/', (req: Request, res) => {
      const remaining: number | undefined = req.guard?.rateLimits.entity?.remaining;
      const signal: AbortSignal | undefined = req.guard?.signal;
      res.json({ remaining, isAborted: signal?.aborted });
    });
    const ask = await serve(app);
    expect((await ask('/', { headers: { 'x-user': 'ann' } })).body).toBe(
      '{"remaining":8,"isAborted":false}',
    );
  });

  test('follows the application in whom it trusts, when it is not told itself', async () => {
    const guard = await open({ ipFilter: { denyList: ['203.0.113.9'] } });
    const app = express();
    app.set('trust proxy', 1);
    app.use('/told', guardExpress({ guard, trustProxy: true, trustedProxyDepth: 2 }));
    app.use('/named', guardExpress({ guard, trustProxy: true, trustedProxies: ['10.0.0.1'] }));
    app.use('/app', guardExpress({ guard }));
    app.use((_request, response) => void response.send(currentRequest()?.context.clientIp));
    const ask = await serve(app);
    const from = (chain: string): RequestInit => ({ headers: { 'x-forwarded-for': chain } });
    expect((await ask('/app', from('192.0.2.7, 203.0.113.9'))).status).toBe(403);
    expect((await ask('/app', from('203.0.113.9, 192.0.2.7'))).body).toBe('192.0.2.7');
    expect((await ask('/told', from('203.0.113.9, 192.0.2.7'))).status).toBe(403);
    expect((await ask('/named', from('203.0.113.9'))).body).toBe('127.0.0.1');
  });

  test('counts a request once, however often it comes to the same guard', async () => {
    const guard = await open({ defaultRateLimit: one });
    const app = express();
    const guarded = guardExpress({ guard });
    app.use(guarded);
    app.use('/', guarded, guarded, ok);
    const ask = await serve(app);
    expect((await ask('/')).status).toBe(200);
    expect((await ask('/')).status).toBe(429);
  });

  test('lets a route decide before the guard, and adds its limits after it', async () => {
    const guard = await open({ defaultRateLimit: { maxRequests: 2 } });
    const app = express();
    const guarded = guardExpress({ guard });
    app.get('/free', guarded.route(false), guarded, ok);
    app.get('/own', guarded.route({ entity: 'own', rateLimit: one }), guarded, ok);
    app.use(guarded);
    app.get('/more', guarded.route({ entity: 'more', rateLimit: one }), ok);
    app.get('/none', guarded.route(false), ok);
    const ask = await serve(app);
    for (const _ of [1, 2, 3]) expect((await ask('/free')).headers.get('ratelimit')).toBeNull();
    expect((await ask('/own')).headers.get('ratelimit')).toMatch(/^"own";r=0;t=\d+$/);
    expect((await ask('/own')).status).toBe(429);
    expect((await ask('/more')).headers.get('ratelimit')).toMatch(
      /^"http";r=1;t=\d+, "more";r=0;t=\d+$/,
    );
    expect((await ask('/none')).headers.get('ratelimit')).toMatch(/^"http";r=0;t=\d+$/);
    expect((await ask('/none')).status).toBe(429);
  });

  test('refuses limits of a route that cannot be followed, at creation', async () => {
    const guarded = guardExpress({ guard: await open({}) });
    expect(() => guarded.route({ entity: 'x', rateLimit: { maxRequests: -1 } })).toThrow(
      'maxRequests must be a positive integer, got -1',
    );
    expect(() => guarded.route({ entity: 'x', rateLimt: one } as never)).toThrow('"rateLimt"');
  });

  test('knows the request also after its body was parsed, and in an error handler', async () => {
    const guard = await open({});
    const app = express();
    app.use(guardExpress({ guard, context: () => ({ userId: 'ann' }) }), express.json());
    app.post('/', (_request, response) => void response.send(currentRequest()?.context.userId));
    const onError: express.ErrorRequestHandler = (_error, _request, response, _next) => {
      response.status(500).send(currentRequest()?.context.userId);
    };
    app.use(onError);
    const ask = await serve(app);
    const post = (body: string): Promise<Reply> =>
      ask('/', { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    expect(await post('{"a":1}')).toMatchObject({ status: 200, body: 'ann' });
    expect(await post('{')).toMatchObject({ status: 500 });
  });

  test('answers late without what a handler had said of its own body', async () => {
    const guard = await open({ defaultTimeout: { executeMs: 20 } });
    const app = express();
    const say: RequestHandler = (_request, response) => {
      response.set({ 'x-own': '1', 'content-encoding': 'gzip', 'content-length': '5000' });
      response.type('text/csv').set('etag', '"own"');
    };
    app.use('/own', guardExpress({ guard }), say);
    app.use(
      '/other',
      guardExpress({
        guard,
        onRefused: ({ status }, _request, response: Response) =>
          response.status(status).send('late'),
      }),
      say,
    );
    const ask = await serve(app);
    const own = await ask('/own');
    expect(own.status).toBe(408);
    expect(JSON.parse(own.body)).toMatchObject({ code: 'EXECUTION_TIMEOUT' });
    expect([own.headers.get('x-own'), own.headers.get('etag')]).toEqual(['1', null]);
    const other = await ask('/other');
    expect(other).toMatchObject({ status: 408, body: 'late' });
    expect(other.headers.get('content-type')).toMatch('text/html');
  });

  test('gives the slot back of a response that was begun before the guard', async () => {
    const guard = await open({ defaultConcurrency: { maxConcurrent: 1 } });
    const app = express();
    app.use((_request, response, next) => {
      response.flushHeaders();
      next();
    });
    app.use(guardExpress({ guard }), (_request, response) => void response.end('ok'));
    const ask = await serve(app);
    for (const _ of [1, 2]) {
      expect(await ask('/')).toMatchObject({ status: 200, body: 'ok' });
    }
  });

  test('gives onRefused what it needs to pass a refusal on', async () => {
    const guard = await open({ defaultRateLimit: one });
    const app = express();
    app.use(
      guardExpress({ guard, onRefused: ({ error }, _request, _response, next) => next(error) }),
    );
    app.get('/', ok);
    const ask = await serve(app);
    expect((await ask('/')).status).toBe(200);
    expect((await ask('/')).status).toBe(429);
  });
});
