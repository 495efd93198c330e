import {
  assertRouteLimits,
  currentRequest,
  enterNode,
  HttpGuard,
  runInRequest,
  setFields,
  type CurrentRequest,
  type HttpGuardOptions,
  type HttpLimits,
  type Refusal,
  type RequestGuard,
} from '@frontmcp/guard-http/layer';
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyRequest {
    /** The guard of the request: its signal, and what its rate limits said. Null when nothing guards it. */
    guard: RequestGuard | null;
  }
  interface FastifyContextConfig {
    /** The limits of the route instead of the plugin's, field by field; `false` leaves it unguarded. */
    guard?: HttpLimits | false;
  }
}

/** What {@link guardFastify} can be told. */
export interface FastifyGuardOptions extends HttpGuardOptions<
  [request: FastifyRequest, reply: FastifyReply]
> {
  /** When a request comes to the guard: `'onRequest'` by default, later for a `context` that an earlier hook finds out. */
  readonly hook?: 'onRequest' | 'preParsing' | 'preValidation' | 'preHandler' | undefined;
  /** Answers a refused request instead of the guard. */
  readonly onRefused?:
    ((refusal: Refusal, request: FastifyRequest, reply: FastifyReply) => unknown) | undefined;
}

const HOOKS = new Set(['onRequest', 'preParsing', 'preValidation', 'preHandler']);

function install(fastify: FastifyInstance, options: FastifyGuardOptions): void {
  const { hook = 'onRequest', onRefused } = options;
  if (!HOOKS.has(hook)) throw new TypeError(`Cannot guard a request in the hook "${hook}"`);
  const own = ['hook', 'onRefused'];
  const guard = new HttpGuard<[FastifyRequest, FastifyReply]>(options, 'guardFastify', own);
  // Properties of the request, since weak maps cost more than all the rest of this.
  const CURRENT = Symbol('current');
  const WORKING = Symbol('working');
  type Visited = FastifyRequest & { [CURRENT]?: CurrentRequest; [WORKING]?: Promise<unknown> };

  if (!fastify.hasRequestDecorator('guard')) fastify.decorateRequest('guard', null);
  fastify.addHook('onRoute', (route) => {
    const { config, method, url, handler } = route;
    if (config?.guard) {
      assertRouteLimits(config.guard);
      // The route that Fastify adds for HEAD is the same work, under the same name.
      const methods = [method]
        .flat()
        .join(',')
        .replace(/^HEAD$/, 'GET');
      const { entity = `${methods} ${url}` } = config.guard;
      route.config = { ...config, guard: { ...config.guard, entity } };
    }
    route.handler = function follow(request, reply) {
      const result: unknown = handler.call(this, request, reply);
      if (result instanceof Promise) (request as Visited)[WORKING] = result;
      return result;
    };
  });
  fastify.addHook(hook, (request: Visited, reply: FastifyReply, ...rest: unknown[]) => {
    const next = rest.at(-1) as (error?: Error) => void;
    enterNode<[FastifyRequest, FastifyReply]>(guard, {
      input: [request, reply],
      request: request.raw,
      response: reply.raw,
      ip: request.ip,
      limits: request.routeOptions.config.guard,
      refuse: async (refusal) => {
        if (onRefused === undefined) answer(reply, refusal);
        else await onRefused(refusal, request, reply);
      },
      fail: (error) => reply.send(error),
      working: () => request[WORKING],
    })
      .then((outcome) => {
        if (outcome === undefined) return;
        request[CURRENT] = outcome.current;
        if (outcome.kind === 'admitted') request.guard = outcome.permit;
        runInRequest(outcome.current, next);
      })
      .catch(next);
  });
  // A hook in between may come back from a client's pool or the like, which runs for nobody's request.
  fastify.addHook('preHandler', (request: Visited, _reply, next) => {
    const { [CURRENT]: current } = request;
    if (current === undefined || currentRequest() === current) next();
    else runInRequest(current, next);
  });
}

function answer(reply: FastifyReply, { status, headers, problem }: Refusal): void {
  setFields(reply.raw, headers);
  // With a serializer of its own, Fastify adds no charset, which JSON has none of.
  reply.code(status).serializer(JSON.stringify).send(problem);
}

/** Guards a Fastify 5 application or a part of it: `fastify.register(guardFastify, { guard })`, before the routes. */
export const guardFastify: FastifyPluginCallback<FastifyGuardOptions> = fastifyPlugin(
  (fastify: FastifyInstance, options: FastifyGuardOptions, done: (error?: Error) => void) => {
    try {
      install(fastify, options);
      done();
    } catch (error) {
      done(error as Error);
    }
  },
  { name: '@frontmcp/guard-fastify', fastify: '5.x' },
);
