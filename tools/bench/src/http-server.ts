process.on('SIGINT', () => process.exit(0));
/**
 * A server of the HTTP benchmark: `node http-server.ts <framework> <limiter> <limit>`. Sends its port to the process that
 * started it, and its CPU time when asked; runs until it is stopped.
 * Each limiter has its defaults, with memory storage and headers on; `guard-own-fields` is guard with the header fields that are the
 * default of the framework's own limiter.
 */
import type { AddressInfo } from 'node:net';

import rateLimitOfFastify from '@fastify/rate-limit';
import { createGuardManager } from '@frontmcp/guard';
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

const [framework = '', limiter = '', limitText = ''] = process.argv.slice(2);
const limit = Number(limitText);
const windowMs = 3_600_000;
const answer = { hello: 'world' };
const isGuarded = limiter.startsWith('guard');

/** The fields of another limiter, where they are asked for. */
function headersLike<T>(style: T): T | undefined {
  return limiter === 'guard-own-fields' ? style : undefined;
}

const manager = await createGuardManager({
  config: {
    enabled: true,
    defaultRateLimit: { maxRequests: limit, windowMs, partitionBy: 'ip' },
  },
});

const servers: Readonly<Record<string, () => Promise<number>>> = {
  express: serveExpress,
  fastify: serveFastify,
  hono: serveHono,
};

async function serveExpress(): Promise<number> {
  const app = express();
  if (limiter === 'own') app.use(rateLimitOfExpress({ limit, windowMs }));
  if (isGuarded)
    app.use(guardExpress({ guard: manager, headers: headersLike('x-ratelimit-epoch') }));
  app.get('/', (_request, response) => {
    response.json(answer);
  });
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () =>
      resolve((server.address() as AddressInfo).port),
    );
  });
}

async function serveFastify(): Promise<number> {
  const app = fastify();
  if (limiter === 'own')
    await app.register(rateLimitOfFastify, { max: limit, timeWindow: windowMs });
  if (isGuarded)
    await app.register(guardFastify, { guard: manager, headers: headersLike('x-ratelimit') });
  app.get('/', () => Promise.resolve(answer));
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  return Number(new URL(address).port);
}

async function serveHono(): Promise<number> {
  const app = new Hono();
  const addressOf = (c: Parameters<typeof getConnInfo>[0]): string =>
    getConnInfo(c).remote.address ?? '';
  if (limiter === 'own') app.use(rateLimitOfHono({ limit, windowMs, keyGenerator: addressOf }));
  if (isGuarded) {
    app.use(
      guardHono({ guard: manager, remoteAddress: addressOf, headers: headersLike('draft-6') }),
    );
  }
  app.get('/', (c) => c.json(answer));
  const server = createAdaptorServer({ fetch: app.fetch });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

const serve = servers[framework];
if (serve === undefined) throw new Error(`Unknown framework "${framework}"`);
process.on('message', () => process.send?.(process.cpuUsage()));
process.send?.(await serve());
