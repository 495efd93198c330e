/** The servers of the HTTP benchmark. Each limiter has its defaults, with memory storage and headers on. */
import { createServer, type Server } from 'node:http';

import rateLimitOfFastify from '@fastify/rate-limit';
import { createGuardManager, type GuardManager } from '@frontmcp/guard';
import { guardExpress } from '@frontmcp/guard-express';
import { guardFastify } from '@frontmcp/guard-fastify';
import { guardHono } from '@frontmcp/guard-hono';
import { createAdaptorServer } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import express from 'express';
import { rateLimit as rateLimitOfExpress } from 'express-rate-limit';
import fastify from 'fastify';
import { Hono } from 'hono';
import { rateLimiter as rateLimitOfHono } from 'hono-rate-limiter';

export const FRAMEWORKS = ['express', 'fastify', 'hono'] as const;
/** `guard-own-fields` is guard with the header fields that are the default of the framework's own limiter. */
export const LIMITERS = ['none', 'own', 'guard', 'guard-own-fields'] as const;
export const NEVER_REACHED = 1_000_000_000;

export type Framework = (typeof FRAMEWORKS)[number];
export type Limiter = (typeof LIMITERS)[number];

const NAMES = {
  express: 'express-rate-limit',
  fastify: '@fastify/rate-limit',
  hono: 'hono-rate-limiter',
} as const;
const windowMs = 3_600_000;
const answer = { hello: 'world' };

/** What the limiter is called in tables. */
export function nameOf(framework: Framework, limiter: Limiter): string {
  const own = NAMES[framework];
  const guard = `@frontmcp/guard-${framework}`;
  return { none: 'no limiter', own, guard, 'guard-own-fields': `${guard}, fields of ${own}` }[
    limiter
  ];
}

/** A server that answers `GET /` with a small JSON, not listening yet. One client may ask `limit` times an hour. */
export async function createApp(
  framework: Framework,
  limiter: Limiter,
  limit: number,
): Promise<Server> {
  const partitionBy = 'ip';
  const guard = await createGuardManager({
    config: { enabled: true, defaultRateLimit: { maxRequests: limit, windowMs, partitionBy } },
  });
  return apps[framework](limiter, limit, guard);
}

type MakeApp = (limiter: Limiter, limit: number, guard: GuardManager) => Server | Promise<Server>;

const apps: Readonly<Record<Framework, MakeApp>> = {
  express(limiter, limit, guard) {
    const app = express();
    if (limiter === 'own') app.use(rateLimitOfExpress({ limit, windowMs }));
    if (limiter === 'guard') app.use(guardExpress({ guard }));
    if (limiter === 'guard-own-fields') {
      app.use(guardExpress({ guard, headers: 'x-ratelimit-epoch' }));
    }
    app.get('/', (_request, response) => {
      response.json(answer);
    });
    return createServer(app);
  },

  async fastify(limiter, limit, guard) {
    const app = fastify();
    if (limiter === 'own') {
      await app.register(rateLimitOfFastify, { max: limit, timeWindow: windowMs });
    }
    if (limiter === 'guard') await app.register(guardFastify, { guard });
    if (limiter === 'guard-own-fields') {
      await app.register(guardFastify, { guard, headers: 'x-ratelimit' });
    }
    app.get('/', () => Promise.resolve(answer));
    await app.ready();
    return app.server;
  },

  hono(limiter, limit, guard) {
    const app = new Hono();
    const remoteAddress = (c: Parameters<typeof getConnInfo>[0]): string =>
      getConnInfo(c).remote.address ?? '';
    if (limiter === 'own') {
      app.use(rateLimitOfHono({ limit, windowMs, keyGenerator: remoteAddress }));
    }
    if (limiter === 'guard') app.use(guardHono({ guard, remoteAddress }));
    if (limiter === 'guard-own-fields') {
      app.use(guardHono({ guard, remoteAddress, headers: 'draft-6' }));
    }
    app.get('/', (c) => c.json(answer));
    return createAdaptorServer({ fetch: app.fetch }) as Server;
  },
};
