import {
  assertRouteLimits,
  holdUntilEnd,
  HttpGuard,
  NodeExchange,
  runInRequest,
  setFields,
  type CurrentRequest,
  type FieldSink,
  type HttpGuardOptions,
  type HttpLimits,
  type Refusal,
  type RequestGuard,
} from '@frontmcp/guard-http';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
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
  /** How long a slot is held for a handler that goes on after its request has ended, in ms; 300,000 by default. */
  readonly maxOverrunMs?: number | undefined;
}

const plugin: FastifyPluginCallback<FastifyGuardOptions> = (fastify, options, done) => {
  const { hook = 'onRequest', onRefused, maxOverrunMs, trustedProxies } = options;
  const guard = new HttpGuard<[FastifyRequest, FastifyReply]>(options, 'guardFastify', [
    'hook',
    'onRefused',
    'maxOverrunMs',
  ]);
  const currents = new WeakMap<FastifyRequest, CurrentRequest>();
  const running = new WeakMap<FastifyRequest, Promise<unknown>>();

  const refuse = (refusal: Refusal, request: FastifyRequest, reply: FastifyReply): unknown => {
    if (onRefused !== undefined) return onRefused(refusal, request, reply);
    setFields(fieldsOf(reply), refusal.headers);
    // Without a serializer of its own Fastify adds a charset, which JSON has none of.
    return reply.code(refusal.status).serializer(JSON.stringify).send(refusal.problem);
  };

  /** @returns Whether the request goes on. */
  const enter = async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
    const { ip, raw, socket, routeOptions } = request;
    const exchange = new NodeExchange(raw, reply.raw);
    const outcome = await guard.enter({
      input: [request, reply],
      remoteAddress: trustedProxies === undefined ? ip : socket.remoteAddress,
      headers: request.headers,
      signal: exchange.signal,
      limits: limitsOf(routeOptions),
    });
    currents.set(request, outcome.current);
    if (outcome.kind === 'gone') return false;
    if (outcome.kind === 'refused') {
      await refuse(outcome.refusal, request, reply);
      return false;
    }
    if (outcome.kind === 'skipped') return true;
    request.guard = outcome.permit;
    setFields(fieldsOf(reply), outcome.headers);
    holdUntilEnd(exchange, reply.raw, outcome, {
      answer: (refusal) => refuse(refusal, request, reply),
      working: () => running.get(request),
      maxOverrunMs,
    });
    return true;
  };

  fastify.decorateRequest('guard', null);
  fastify.addHook('onRoute', (route) => {
    const limits = route.config?.guard;
    if (limits) assertRouteLimits(limits);
    route.handler = followed(route.handler, running);
  });
  fastify.addHook(hook, (request: FastifyRequest, reply: FastifyReply, ...rest: unknown[]) => {
    const next = rest.at(-1) as (error?: Error) => void;
    enter(request, reply).then((goesOn) => {
      if (goesOn) next();
    }, next);
  });
  // A body that was read between the hooks has lost whose request it belongs to.
  fastify.addHook('preHandler', (request, _reply, next) => {
    const current = currents.get(request);
    if (current === undefined) next();
    else runInRequest(current, next);
  });
  done();
};

/** Limits of a route by its configuration, under the name of the route when they have none. */
const named = new WeakMap<object, HttpLimits>();

function limitsOf({
  config,
  method,
  url,
}: FastifyRequest['routeOptions']): HttpLimits | false | undefined {
  const { guard } = config;
  if (!guard || guard.entity !== undefined) return guard;
  const known = named.get(config);
  if (known !== undefined) return known;
  // The route that Fastify adds for HEAD is the same work, under the same name.
  const entity = `${[method]
    .flat()
    .join(',')
    .replace(/^HEAD$/, 'GET')} ${url ?? ''}`;
  const limits = { ...guard, entity };
  named.set(config, limits);
  return limits;
}

function fieldsOf(reply: FastifyReply): FieldSink {
  return {
    getHeader: (name) => reply.getHeader(name),
    setHeader: (name, value) => reply.header(name, value),
  };
}

/** The handler of a route, with what it is doing kept for the request until it has done it. */
function followed(
  handler: RouteOptions['handler'],
  running: WeakMap<FastifyRequest, Promise<unknown>>,
): RouteOptions['handler'] {
  return function follow(request, reply) {
    const result: unknown = handler.call(this, request, reply);
    if (result instanceof Promise) {
      running.set(request, result);
      const settled = (): void => void running.delete(request);
      result.then(settled, settled);
    }
    return result;
  };
}

/** Guards a Fastify 5 application: `fastify.register(guardFastify, { guard })`, before the routes. */
export const guardFastify: FastifyPluginCallback<FastifyGuardOptions> = fastifyPlugin(plugin, {
  name: '@frontmcp/guard-fastify',
  fastify: '5.x',
});
