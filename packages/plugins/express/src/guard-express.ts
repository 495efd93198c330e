import {
  answerNode,
  assertRouteLimits,
  enterNode,
  HttpGuard,
  runInRequest,
  type Admitted,
  type HttpGuardOptions,
  type HttpLimits,
  type NodeCall,
  type NodeRequest,
  type NodeResponse,
  type Refusal,
  type RequestGuard,
  type Skipped,
} from '@frontmcp/guard-http/layer';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- the way in which the types of Express are added to
  namespace Express {
    interface Request {
      /** The guard of the request: its signal, and what its rate limits said. */
      guard?: RequestGuard;
    }
  }
}

/** The part of a request of Express that is used. */
export interface ExpressRequest extends NodeRequest {
  /** The client, by the `trust proxy` of the application. */
  readonly ip?: string | undefined;
  /** Set by the guard when it has admitted the request. */
  guard?: RequestGuard;
}

/** Goes on to the next handler, or with an error to the error handler. */
export type ExpressNext = (error?: unknown) => void;

/** A handler of Express. */
export type ExpressMiddleware<Req, Res> = (request: Req, response: Res, next: ExpressNext) => void;

/** What {@link guardExpress} can be told. */
export interface ExpressGuardOptions<
  Req extends ExpressRequest,
  Res extends NodeResponse,
> extends HttpGuardOptions<[request: Req, response: Res]> {
  /**
   * Answers a refused request instead of the guard: it sends a response, or calls `next`. What it throws goes to the error
   * handler.
   */
  readonly onRefused?:
    ((refusal: Refusal, request: Req, response: Res, next: ExpressNext) => unknown) | undefined;
}

/** Middleware that guards every request which comes to it, once. */
export interface ExpressGuard<Req, Res> extends ExpressMiddleware<Req, Res> {
  /**
   * Middleware for a route with limits of its own. Before the guard itself, it decides in its place, and `false` leaves the route
   * unguarded. After it, its limits are met in addition; the global ones aren't counted twice.
   */
  route(limits: (HttpLimits & { readonly entity: string }) | false): ExpressMiddleware<Req, Res>;
}

/**
 * Guards an Express 4 or 5 application, or a part of it. The result is on `request.guard`; a slot is held until the response has
 * ended.
 *
 * Without `trustProxy` the client is `request.ip`, by the application's own `trust proxy`. What fails in between goes to `next`,
 * and is answered by the error handler.
 *
 * @throws GuardConfigError for options that cannot be followed, TypeError or RangeError for limits.
 */
export function guardExpress<
  Req extends ExpressRequest = ExpressRequest,
  Res extends NodeResponse = NodeResponse,
>(options: ExpressGuardOptions<Req, Res>): ExpressGuard<Req, Res> {
  const { onRefused } = options;
  const guard = new HttpGuard<[Req, Res]>(options, 'guardExpress', ['onRefused']);
  // A property of the request, since a weak set costs more than all the rest of this.
  const SEEN = Symbol('guarded');

  const middleware =
    (limits?: HttpLimits | false): ExpressMiddleware<Req, Res> =>
    (request: Req & { [SEEN]?: boolean }, response, next) => {
      if (limits === undefined && request[SEEN] === true) {
        next();
        return;
      }
      request[SEEN] = true;
      const follow = (outcome: Admitted | Skipped | undefined): void => {
        if (outcome === undefined) return;
        if (outcome.kind === 'admitted') request.guard = outcome.permit;
        runInRequest(outcome.current, next);
      };
      const outcome = enterNode(guard, new ExpressCall(request, response, next, limits, onRefused));
      if (outcome !== undefined && 'then' in outcome) outcome.then(follow).catch(next);
      else follow(outcome);
    };
  const route: ExpressGuard<Req, Res>['route'] = (limits) => {
    if (limits) assertRouteLimits(limits);
    return middleware(limits);
  };
  return Object.assign(middleware(), { route });
}

/** A request of Express at its guard. */
class ExpressCall<Req extends ExpressRequest, Res extends NodeResponse> implements NodeCall<
  [Req, Res]
> {
  readonly request: Req;
  readonly response: Res;
  readonly limits: HttpLimits | false | undefined;
  readonly #next: ExpressNext;
  readonly #onRefused: ExpressGuardOptions<Req, Res>['onRefused'];

  constructor(
    request: Req,
    response: Res,
    next: ExpressNext,
    limits: HttpLimits | false | undefined,
    onRefused: ExpressGuardOptions<Req, Res>['onRefused'],
  ) {
    this.request = request;
    this.response = response;
    this.limits = limits;
    this.#next = next;
    this.#onRefused = onRefused;
  }

  get input(): [Req, Res] {
    return [this.request, this.response];
  }

  get fields(): Res {
    return this.response;
  }

  get ip(): string | undefined {
    return this.request.ip;
  }

  async refuse(refusal: Refusal): Promise<void> {
    if (this.#onRefused === undefined) answerNode(this.response, refusal);
    else await this.#onRefused(refusal, this.request, this.response, this.#next);
  }

  fail(error: Error): void {
    this.#next(error);
  }
}
