import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { connect } from 'node:http2';
import type { AddressInfo } from 'node:net';

import { currentRequest } from '@frontmcp/guard-http';
import { createGuardManager, type GuardConfig, type GuardManager } from '@frontmcp/guard';
import Fastify, { type FastifyInstance } from 'fastify';

import { guardFastify, type FastifyGuardOptions } from './index.js';

let manager: GuardManager;
let fastify: FastifyInstance;

async function open(
  config: Omit<GuardConfig, 'enabled'>,
  options: Partial<FastifyGuardOptions> = {},
): Promise<FastifyInstance> {
  manager = await createGuardManager({ config: { enabled: true, ...config } });
  fastify = Fastify({ forceCloseConnections: true });
  await fastify.register(guardFastify, { guard: manager, ...options });
  return fastify;
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

async function ask(path: string, method: 'GET' | 'HEAD' | 'POST' = 'GET'): Promise<Reply> {
  if (!fastify.server.listening) await fastify.listen({ host: '127.0.0.1', port: 0 });
  const { port } = fastify.server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    ...(method === 'POST' && {
      body: '{"a":1}',
      headers: { 'content-type': 'application/json' },
    }),
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

const remaining = async (...args: Parameters<typeof ask>): Promise<unknown> =>
  (await ask(...args)).headers.get('ratelimit');

afterEach(async () => {
  await fastify.close();
  await manager.destroy();
});

const two = { maxRequests: 2 };
const ok = (): string => 'ok';

describe('guardFastify', () => {
  test('gives the limits of a route the name of the route, which its HEAD shares', async () => {
    await open({ defaultRateLimit: two });
    fastify.get('/a', { config: { guard: { rateLimit: { maxRequests: 5 } } } }, ok);
    fastify.register(
      (scope, _options, done) => {
        scope.get('/b', { config: { guard: {} } }, ok);
        done();
      },
      { prefix: '/in' },
    );
    fastify.route({ method: ['GET', 'POST'], url: '/c', config: { guard: {} }, handler: ok });
    expect(await remaining('/a')).toMatch(/^"GET \/a";r=4;/);
    expect(await remaining('/a', 'HEAD')).toMatch(/^"GET \/a";r=3;/);
    expect(await remaining('/in/b')).toMatch(/^"GET \/in\/b";r=1;/);
    expect(await remaining('/c', 'POST')).toMatch(/^"GET,POST \/c";r=1;/);
    expect(await remaining('/c')).toMatch(/^"GET,POST \/c";r=0;/);
  });

  test('keeps the name that a route gives, and does not change what it was given', async () => {
    await open({ defaultRateLimit: two });
    const shared = { guard: { rateLimit: { maxRequests: 5 } } };
    fastify.get('/a', { config: { guard: { entity: 'own' } } }, ok);
    fastify.get('/b', { config: shared }, ok);
    fastify.get('/c', { config: shared }, ok);
    expect(await remaining('/a')).toMatch(/^"own";r=1;/);
    expect(await remaining('/b')).toMatch(/^"GET \/b";r=4;/);
    expect(await remaining('/c')).toMatch(/^"GET \/c";r=4;/);
    expect(shared).toEqual({ guard: { rateLimit: { maxRequests: 5 } } });
  });

  test('leaves a route unguarded that says false, and counts what is not found', async () => {
    await open({ defaultRateLimit: { maxRequests: 1 } });
    fastify.get('/free', { config: { guard: false } }, (request) => ({ guard: request.guard }));
    for (const _ of [1, 2]) {
      const reply = await ask('/free');
      expect(JSON.parse(reply.body)).toEqual({ guard: null });
      expect(reply.headers.get('ratelimit')).toBeNull();
    }
    expect((await ask('/missing')).status).toBe(404);
    expect((await ask('/missing')).status).toBe(429);
  });

  test('counts a request once that a route passes on to what is not found', async () => {
    await open(
      { defaultRateLimit: two, defaultConcurrency: { maxConcurrent: 1 } },
      { hook: 'preHandler' },
    );
    fastify.setNotFoundHandler((_request, reply) => {
      void reply.code(404).send(currentRequest() === undefined ? 'unknown' : 'known');
    });
    fastify.get('/', (_request, reply) => {
      reply.callNotFound();
    });
    const reply = await ask('/');
    expect([reply.status, reply.body]).toEqual([404, 'known']);
    expect(reply.headers.get('ratelimit')).toMatch(/^"http";r=1;/);
  });

  test('holds a route to its limits that was added before the plugin was there', async () => {
    manager = await createGuardManager({ config: { enabled: true, defaultRateLimit: two } });
    fastify = Fastify({ forceCloseConnections: true });
    void fastify.register(guardFastify, { guard: manager });
    fastify.get('/a', { config: { guard: { rateLimit: { maxRequests: 5 } } } }, ok);
    fastify.get('/b', ok);
    expect(await remaining('/a')).toMatch(/^"GET \/a";r=4;/);
    expect(await remaining('/a', 'HEAD')).toMatch(/^"GET \/a";r=3;/);
    expect(await remaining('/b')).toMatch(/^"http";r=1;/);
  });

  test('refuses limits of a route that cannot be followed, when the route is added', async () => {
    await open({});
    const config = { guard: { rateLimit: { maxRequests: -1 } } };
    expect(() => fastify.get('/', { config }, ok)).toThrow(
      'maxRequests must be a positive integer',
    );
    expect(() => fastify.get('/', { config: { guard: { rate: 1 } as never } }, ok)).toThrow(
      '"rate"',
    );
  });

  test('comes in at the hook that it is told', async () => {
    await open(
      { defaultRateLimit: { maxRequests: 1, partitionBy: 'userId' } },
      { hook: 'preHandler', context: ({ body }) => ({ userId: JSON.stringify(body) }) },
    );
    const order: string[] = [];
    fastify.addHook('preValidation', (_request, _reply, done) => {
      order.push(String(currentRequest()?.context.userId));
      done();
    });
    fastify.post('/', () => String(currentRequest()?.context.userId));
    expect((await ask('/', 'POST')).body).toBe('{"a":1}');
    expect((await ask('/', 'POST')).status).toBe(429);
    expect(order).toEqual(['undefined', 'undefined']);
  });

  test.each(['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const)(
    'keeps what the application’s hooks and handlers call in the request, from %s on',
    async (hook) => {
      await open({}, { hook, context: () => ({ userId: 'ann' }) });
      const seen: unknown[] = [];
      fastify.addHook(hook, (_request: unknown, _reply: unknown, ...rest: unknown[]) => {
        seen.push(currentRequest()?.context.userId);
        (rest.at(-1) as () => void)();
      });
      fastify.post('/', () => String(currentRequest()?.context.userId));
      expect((await ask('/', 'POST')).body).toBe('ann');
      expect(seen).toEqual(['ann']);
    },
  );

  test('knows the request again after a hook that has lost it', async () => {
    const outside = AsyncLocalStorage.snapshot();
    await open({}, { context: () => ({ userId: 'ann' }) });
    const seen: unknown[] = [];
    fastify.addHook('preValidation', (_request, _reply, done) => {
      outside(() => {
        seen.push(currentRequest());
        done();
      });
    });
    fastify.get('/', () => String(currentRequest()?.context.userId));
    expect((await ask('/')).body).toBe('ann');
    expect(seen).toEqual([undefined]);
  });

  test('does not come in where it would be too late', async () => {
    await expect(open({}, { hook: 'onResponse' as never })).rejects.toThrow(
      'Cannot guard a request in the hook "onResponse"',
    );
  });

  test('guards only what is beside it and within', async () => {
    manager = await createGuardManager({
      config: { enabled: true, defaultRateLimit: { maxRequests: 1 } },
    });
    fastify = Fastify({ forceCloseConnections: true });
    fastify.register(async (scope) => {
      await scope.register(guardFastify, { guard: manager });
      scope.get('/in', ok);
    });
    fastify.get('/out', (request) => typeof request.guard);
    for (const _ of [1, 2]) expect((await ask('/out')).body).toBe('undefined');
    expect((await ask('/in')).status).toBe(200);
    expect((await ask('/in')).status).toBe(429);
  });

  test('keeps the headers of the application on a refusal, and lets its hooks see it', async () => {
    await open({ defaultRateLimit: { maxRequests: 1 } });
    const sent: unknown[] = [];
    fastify.addHook('onSend', async (_request, reply, payload) => {
      await new Promise(setImmediate);
      sent.push(reply.getHeader('retry-after') !== undefined);
      return payload;
    });
    fastify.get('/', (_request, reply) => reply.header('x-own', '1').send('ok'));
    expect((await ask('/')).headers.get('x-own')).toBe('1');
    expect((await ask('/')).headers.get('content-type')).toMatch('application/problem+json');
    expect(sent).toEqual([false, true]);
  });

  test('tells a handler on HTTP/2 that its client is gone, and gives the slot back', async () => {
    manager = await createGuardManager({
      config: { enabled: true, defaultConcurrency: { maxConcurrent: 1 } },
    });
    const http2 = Fastify({ http2: true });
    await http2.register(guardFastify, { guard: manager });
    const begun = deferred();
    const gone = deferred();
    http2.get('/', async ({ guard }) => {
      guard?.signal.addEventListener('abort', () => gone.resolve('gone'));
      begun.resolve('begun');
      return gone.promise;
    });
    http2.get('/next', ok);
    fastify = http2 as unknown as FastifyInstance;
    const address = await http2.listen({ host: '127.0.0.1', port: 0 });
    const client = connect(address);
    client.request({ ':path': '/' });
    await begun.promise;
    client.destroy();
    expect(await gone.promise).toBe('gone');
    const next = connect(address);
    const [headers] = (await once(next.request({ ':path': '/next' }), 'response')) as [object];
    expect(headers).toMatchObject({ ':status': 200 });
    next.destroy();
  });

  test('answers a late request once, also when hooks take their time with the answer', async () => {
    await open({ defaultConcurrency: { maxConcurrent: 1 } }, { timeout: { executeMs: 20 } });
    fastify.addHook('onSend', async (_request, _reply, payload) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return payload;
    });
    fastify.get('/heeds', ({ guard }) => {
      const { promise, reject } = deferred();
      guard?.signal.addEventListener('abort', () => reject(guard.signal.reason as Error));
      return promise;
    });
    fastify.get('/raw', { config: { guard: { entity: 'raw' } } }, async ({ guard }, reply) => {
      await new Promise((resolve) => guard?.signal.addEventListener('abort', resolve));
      await new Promise((resolve) => setTimeout(resolve, 20));
      reply.raw.setHeader('x', '1');
      reply.raw.write('late');
      reply.raw.end();
      return reply;
    });
    fastify.get('/says', async ({ guard }, reply) => {
      void reply.header('x-before', '1').type('text/csv').header('content-encoding', 'gzip');
      await new Promise((resolve) => guard?.signal.addEventListener('abort', resolve));
      void reply.code(201).header('x-late', '1');
      return 'late';
    });
    fastify.get('/hijacks', async (_request, reply) => {
      reply.hijack();
      await new Promise((resolve) => setTimeout(resolve, 60));
      reply.raw.end('late');
    });
    for (const path of ['/heeds', '/heeds', '/raw', '/says', '/hijacks']) {
      const reply = await ask(path);
      expect(reply.status).toBe(408);
      expect(JSON.parse(reply.body)).toMatchObject({ code: 'EXECUTION_TIMEOUT' });
      expect(reply.headers.get('content-type')).toBe('application/problem+json');
      expect(reply.headers.get('x-late')).toBeNull();
      expect(reply.headers.get('x-before')).toBe(path === '/says' ? '1' : null);
    }
  });
});

interface Deferred {
  readonly promise: Promise<string>;
  readonly resolve: (value: string) => void;
  readonly reject: (error: Error) => void;
}

function deferred(): Deferred {
  let resolve!: (value: string) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<string>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
