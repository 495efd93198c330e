import {
  answerNode,
  assertRouteLimits,
  currentRequest,
  dropContentFields,
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
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
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
export interface FastifyGuardOptions extends HttpGuardOptions<Input> {
  /** When a request comes to the guard: `'onRequest'` by default, later for a `context` that an earlier hook finds out. */
  readonly hook?: 'onRequest' | 'preParsing' | 'preValidation' | 'preHandler' | undefined;
  /** Answers a refused request instead of the guard. */
  readonly onRefused?: ((refusal: Refusal, ...input: Input) => unknown) | undefined;
}

type Input = [request: FastifyRequest, reply: FastifyReply];
const META = { name: '@frontmcp/guard-fastify', fastify: '5.x' };
const HOOKS = new Set(['onRequest', 'preParsing', 'preValidation', 'preHandler']);

// eslint-disable-next-line @typescript-eslint/require-await -- a promise tells Fastify of what is thrown
async function install(fastify: FastifyInstance, options: FastifyGuardOptions): Promise<void> {
  const { hook = 'onRequest', onRefused } = options;
  if (!HOOKS.has(hook)) throw new TypeError(`Cannot guard a request in the hook "${hook}"`);
  const guard = new HttpGuard<Input>(options, 'guardFastify', ['hook', 'onRefused']);
  // Properties of the request, since weak maps cost more than all the rest of this.
  const CURRENT = Symbol('current');
  const WORKING = Symbol('working');
  type Visited = FastifyRequest & { [CURRENT]?: CurrentRequest; [WORKING]?: Promise<unknown> };

  if (!fastify.hasRequestDecorator('guard')) fastify.decorateRequest('guard', null);
  fastify.addHook('onRoute', (route) => {
    const { handler } = route;
    const limits = limitsOf(route.config?.guard, route.method, route.url);
    if (limits) assertRouteLimits(limits);
    if (limits) route.config = { ...route.config, guard: limits };
    route.handler = function follow(request, reply) {
      const result: unknown = handler.call(this, request, reply);
      if (result instanceof Promise) (request as Visited)[WORKING] = result;
      return result;
    };
  });
  fastify.addHook(hook, (request: Visited, reply: FastifyReply, ...rest: unknown[]) => {
    const next = rest.at(-1) as (error?: Error) => void;
    const { config, method, url } = request.routeOptions;
    // `reply.callNotFound()` has hooks run once more.
    if (request[CURRENT]) {
      next();
      return;
    }
    enterNode<Input>(guard, {
      input: [request, reply],
      request: request.raw,
      response: reply.raw,
      fields: { getHeader: (name) => reply.getHeader(name), setHeader: reply.header.bind(reply) },
      ip: request.ip,
      limits: limitsOf(config.guard, method, url),
      refuse: async (refusal, isLate) => {
        if (isLate) dropContentFields(reply);
        if (onRefused !== undefined) await onRefused(refusal, request, reply);
        // At once, since hooks take their time, in which the handler could change what is said.
        else if (isLate) answerNode(reply.raw, refusal, reply.hijack().getHeaders());
        else answer(reply, refusal);
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

/** Limits without an entity are counted under the name of their route, as is the one that Fastify adds for HEAD. */
function limitsOf(guard: HttpLimits | false | undefined, method: string | string[], url?: string) {
  if (!guard || guard.entity !== undefined) return guard;
  return { ...guard, entity: `${String(method)} ${url}`.replace(/^HEAD /, 'GET ') };
}

function answer(reply: FastifyReply, { status, headers, problem }: Refusal): void {
  setFields(reply.raw, headers);
  // With a serializer of its own, Fastify adds no charset, which JSON has none of.
  reply.code(status).serializer(JSON.stringify).send(problem);
}

/** Guards a Fastify 5 application or a part of it: `fastify.register(guardFastify, { guard })`, before the routes. */
export const guardFastify: FastifyPluginAsync<FastifyGuardOptions> = fastifyPlugin(install, META);
