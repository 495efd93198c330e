import {
  answerNode,
  assertRouteLimits,
  dropContentFields,
  enterNode,
  HttpGuard,
  requestAround,
  runInRequest,
  setFields,
  type Admitted,
  type CurrentRequest,
  type FieldSink,
  type HttpGuardOptions,
  type HttpLimits,
  type NodeCall,
  type Refusal,
  type RequestGuard,
  type Skipped,
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
  /** Answers a refused request instead of the guard: it sends a reply. What it throws goes to the error handler. */
  readonly onRefused?: ((refusal: Refusal, ...input: Input) => unknown) | undefined;
}

type Input = [request: FastifyRequest, reply: FastifyReply];
type Working = FastifyRequest & { [WORKING]?: Promise<unknown> };
const WORKING = Symbol('working');
const META = { name: '@frontmcp/guard-fastify', fastify: '5.x' };
const HOOKS = new Set(['onRequest', 'preParsing', 'preValidation', 'preHandler']);

// eslint-disable-next-line @typescript-eslint/require-await -- a promise tells Fastify of what is thrown
async function install(fastify: FastifyInstance, options: FastifyGuardOptions): Promise<void> {
  const { hook = 'onRequest', onRefused } = options;
  if (!HOOKS.has(hook)) throw new TypeError(`Cannot guard a request in the hook "${hook}"`);
  const guard = new HttpGuard<Input>(options, 'guardFastify', ['hook', 'onRefused']);
  // Properties of the request, since weak maps cost more than all the rest of this.
  const CURRENT = Symbol('current');
  type Visited = FastifyRequest & { [CURRENT]?: CurrentRequest };

  if (!fastify.hasRequestDecorator('guard')) fastify.decorateRequest('guard', null);
  fastify.addHook('onRoute', (route) => {
    const { handler } = route;
    const limits = limitsOf(route.config?.guard, route.method, route.url);
    if (limits) assertRouteLimits(limits);
    if (limits) route.config = { ...route.config, guard: limits };
    route.handler = function follow(request, reply) {
      const result: unknown = handler.call(this, request, reply);
      if (result instanceof Promise) (request as Working)[WORKING] = result;
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
    const follow = (outcome: Admitted | Skipped | undefined): void => {
      if (outcome === undefined) return;
      request[CURRENT] = outcome.current;
      if (outcome.kind === 'admitted') request.guard = outcome.permit;
      runInRequest(outcome.current, next);
    };
    const limits = limitsOf(config.guard, method, url);
    const outcome = enterNode(guard, new FastifyCall(request, reply, limits, onRefused));
    if (outcome !== undefined && 'then' in outcome) outcome.then(follow).catch(next);
    else follow(outcome);
  });
  // A hook in between may come back from a client's pool or the like, which runs for nobody's request.
  fastify.addHook('preHandler', (request: Visited, _reply, next) => {
    const { [CURRENT]: current } = request;
    if (current === undefined || requestAround() === current) next();
    else runInRequest(current, next);
  });
}

/** Limits without an entity are counted under the name of their route, as is the one that Fastify adds for HEAD. */
function limitsOf(guard: HttpLimits | false | undefined, method: string | string[], url?: string) {
  if (!guard || guard.entity !== undefined) return guard;
  return { ...guard, entity: `${String(method)} ${url}`.replace(/^HEAD /, 'GET ') };
}

/** A request of Fastify at its guard. */
class FastifyCall implements NodeCall<Input>, FieldSink {
  readonly limits: HttpLimits | false | undefined;
  readonly #request: Working;
  readonly #reply: FastifyReply;
  readonly #onRefused: FastifyGuardOptions['onRefused'];

  constructor(
    request: FastifyRequest,
    reply: FastifyReply,
    limits: HttpLimits | false | undefined,
    onRefused: FastifyGuardOptions['onRefused'],
  ) {
    this.limits = limits;
    this.#request = request;
    this.#reply = reply;
    this.#onRefused = onRefused;
  }

  get input(): Input {
    return [this.#request, this.#reply];
  }

  get request(): FastifyRequest['raw'] {
    return this.#request.raw;
  }

  get response(): FastifyReply['raw'] {
    return this.#reply.raw;
  }

  get ip(): string {
    return this.#request.ip;
  }

  /** Fastify writes header fields of its own faster than it joins them with those of the response. */
  get fields(): FieldSink {
    return this;
  }

  getHeader(name: string): Parameters<FieldSink['setHeader']>[1] | undefined {
    return this.#reply.getHeader(name);
  }

  setHeader(name: string, value: Parameters<FieldSink['setHeader']>[1]): void {
    this.#reply.header(name, value);
  }

  async refuse(refusal: Refusal, isLate: boolean): Promise<void> {
    const reply = this.#reply;
    if (isLate) dropContentFields(reply);
    if (this.#onRefused !== undefined) await this.#onRefused(refusal, this.#request, reply);
    // At once, since hooks take their time, in which the handler could change what is said.
    else if (isLate) answerNode(reply.raw, refusal, reply.hijack().getHeaders());
    else answer(reply, refusal);
  }

  fail(error: Error): void {
    this.#reply.send(error);
  }

  working(): Promise<unknown> | undefined {
    return this.#request[WORKING];
  }
}

function answer(reply: FastifyReply, { status, headers, problem }: Refusal): void {
  setFields(reply.raw, headers);
  // With a serializer of its own, Fastify adds no charset, which JSON has none of.
  reply.code(status).serializer(JSON.stringify).send(problem);
}

/**
 * Guards a Fastify 5 application or a part of it: `fastify.register(guardFastify, { guard })`, before the routes. The result is
 * on `request.guard`; a slot is held until the response has ended. A route's own limits are its `config.guard`.
 *
 * @throws GuardConfigError (when the application gets ready) for options that cannot be followed, TypeError for an unknown hook,
 * TypeError or RangeError for limits.
 */
export const guardFastify: FastifyPluginAsync<FastifyGuardOptions> = fastifyPlugin(install, META);
