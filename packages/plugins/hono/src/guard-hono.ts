import {
  assertRouteLimits,
  holdExchange,
  HttpGuard,
  isTimeout,
  runInRequest,
  withHeaders,
  type Awaitable,
  type HttpCall,
  type HttpGuardOptions,
  type HttpLimits,
  type Refusal,
  type RequestGuard,
} from '@frontmcp/guard-http/layer';
import type { Context, Env, MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

declare module 'hono' {
  interface ContextVariableMap {
    /** The guard of the request: its signal, and what its rate limits said. Undefined when nothing guards it. */
    guard: RequestGuard | undefined;
  }
}

/** What {@link guardHono} can be told. */
export interface HonoGuardOptions<E extends Env> extends HttpGuardOptions<[context: Context<E>]> {
  /**
   * The address of the other end of the connection; each runtime has its own way to it, like `getConnInfo` of its adapter. Unknown by
   * default.
   */
  readonly remoteAddress?: ((context: Context<E>) => string | undefined) | undefined;
  /** Answers a refused request instead of the guard; undefined leaves it to the guard. What it throws goes to `onError`. */
  readonly onRefused?:
    ((refusal: Refusal, context: Context<E>) => Awaitable<Response | undefined>) | undefined;
}

/** Middleware that guards every request which comes to it, once. */
export interface HonoGuard<E extends Env> extends MiddlewareHandler<E> {
  /**
   * Middleware for a route with limits of its own. Before the guard itself, it decides in its place, and `false` leaves the route
   * unguarded. After it, its limits are met in addition; the global ones aren't counted twice.
   */
  route(limits: (HttpLimits & { readonly entity: string }) | false): MiddlewareHandler<E>;
}

/**
 * Guards a Hono application, or a part of it, on any runtime. The result is at `c.get('guard')`; a slot is held until the handler
 * has settled and the body of its response has ended.
 *
 * @throws GuardConfigError for options that cannot be followed, TypeError or RangeError for limits.
 */
export function guardHono<E extends Env = Env>(options: HonoGuardOptions<E>): HonoGuard<E> {
  const { remoteAddress, onRefused } = options;
  const guard = new HttpGuard<[Context<E>]>(options, 'guardHono', ['remoteAddress', 'onRefused']);
  // A property of the context, since a weak set costs more than all the rest of this.
  const SEEN = Symbol('guarded');

  const refuse = async (refusal: Refusal, context: Context<E>): Promise<Response> => {
    const response = (await onRefused?.(refusal, context)) ?? answer(context, refusal);
    if (context.finalized) context.res = response;
    return response;
  };

  const middleware =
    (limits?: HttpLimits | false): MiddlewareHandler<E> =>
    async (context: Context<E> & { [SEEN]?: boolean }, next) => {
      if (limits === undefined && context[SEEN] === true) return next();
      context[SEEN] = true;
      const entered = guard.enter(new HonoCall(context, remoteAddress, limits));
      const outcome = 'then' in entered ? await entered : entered;
      if (outcome.kind === 'refused') return refuse(outcome.refusal, context);
      if (outcome.kind === 'gone') return new Response(null, { status: 499 });
      if (outcome.kind === 'skipped') return runInRequest(outcome.current, next);
      context.set('guard', outcome.permit);
      if (!outcome.isHeld) {
        // Hono makes a response with the fields it knows of for less than it adds some to one. Those of other responses come after.
        if (!context.finalized) {
          for (const [name, value] of outcome.headers) context.header(name, value);
        }
        await runInRequest(outcome.current, next);
        answerWith(context, context.res, outcome.headers);
        return;
      }
      const earlier = outcome.isTimed ? new Headers(context.res.headers) : undefined;
      let isLate = false;
      const handled = async (): Promise<Response> => {
        await runInRequest(outcome.current, next);
        return isLate ? new Response() : context.res;
      };
      try {
        const response = await holdExchange(context.req.raw, outcome, handled);
        answerWith(context, response, outcome.headers);
      } catch (error) {
        isLate = true;
        if (!isTimeout(error)) throw error;
        // Hono puts the answer to an error in the place of any other, so a handler that throws at its signal is let to do so first.
        await new Promise((resolve) => setTimeout(resolve));
        setResponse(context, new Response(null, earlier && { headers: earlier }));
        await refuse(outcome.refuse(error), context);
      }
    };
  const route: HonoGuard<E>['route'] = (limits) => {
    if (limits) assertRouteLimits(limits);
    return middleware(limits);
  };
  return Object.assign(middleware(), { route });
}

/** A request of Hono at its guard. */
class HonoCall<E extends Env> implements HttpCall<[Context<E>]> {
  readonly limits: HttpLimits | false | undefined;
  readonly #context: Context<E>;
  readonly #remoteAddress: HonoGuardOptions<E>['remoteAddress'];

  constructor(
    context: Context<E>,
    remoteAddress: HonoGuardOptions<E>['remoteAddress'],
    limits: HttpLimits | false | undefined,
  ) {
    this.limits = limits;
    this.#context = context;
    this.#remoteAddress = remoteAddress;
  }

  get input(): [Context<E>] {
    return [this.#context];
  }

  get remoteAddress(): string | undefined {
    return this.#remoteAddress?.(this.#context);
  }

  get headers(): HttpCall<[]>['headers'] {
    return this;
  }

  /** Some runtimes make the headers when they are first asked for. */
  get(name: string): string | null {
    return this.#context.req.raw.headers.get(name);
  }

  signal(): AbortSignal {
    return this.#context.req.raw.signal;
  }
}

function answerWith<E extends Env>(
  context: Context<E>,
  response: Response,
  headers: Parameters<typeof withHeaders>[1],
): void {
  const answered = withHeaders(response, headers);
  if (answered !== context.res) setResponse(context, answered);
}

/** By Hono's own means, which keep the headers that were set on the way here. */
function answer<E extends Env>(context: Context<E>, { status, headers, problem }: Refusal) {
  const fields = Object.fromEntries(headers);
  return context.body(JSON.stringify(problem), status as ContentfulStatusCode, fields);
}

/** Sets the response, and not on top of one that is there already: Hono would merge their headers. */
function setResponse<E extends Env>(context: Context<E>, response: Response): void {
  context.res = undefined;
  context.res = response;
}
