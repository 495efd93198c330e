import { HttpGuard } from '../guard/http-guard.js';
import type { Awaitable, HttpGuardOptions } from '../guard/http-guard-options.js';
import type { Refusal } from '../guard/refusal.js';
import type { RequestGuard } from '../guard/http-permit.js';
import { isTimeout } from '../guard/is-timeout.js';
import { runInRequest } from '../request/request-storage.js';
import { holdExchange } from './hold-exchange.js';
import { refusalResponse } from './refusal-response.js';
import { withHeaders } from './with-headers.js';

/** What answers a request on a runtime with web standards. `Args` is what the runtime gives beside it, like `env` on Workers. */
export type FetchHandler<Args extends readonly unknown[]> = (
  request: Request,
  ...args: Args
) => Awaitable<Response>;

/** What {@link guardFetch} can be told. */
export interface FetchGuardOptions<Args extends readonly unknown[]> extends HttpGuardOptions<
  [request: Request, ...args: Args]
> {
  /**
   * The address of the other end of the connection, which web standards don't give: each runtime has its own way to it. Unknown by
   * default.
   */
  readonly remoteAddress?: ((request: Request, ...args: Args) => string | undefined) | undefined;
  /** The answer to a refused request, instead of that of `refusal`. */
  readonly onRefused?:
    | ((refusal: Refusal, request: Request, ...args: Args) => Awaitable<Response | undefined>)
    | undefined;
}

// A property of the request, since a weak map costs more than all the rest of this; the same one for all copies of this package.
const GUARD: unique symbol = Symbol.for('@frontmcp/guard-http/guard') as never;

type GuardedRequest = Request & { [GUARD]?: RequestGuard };

/**
 * The guard of a request inside a handler of {@link guardFetch}: its signal, and what its rate limits said. Undefined for a
 * request that nothing guards, and for a copy of one: it stands on the very object that the handler was given.
 */
export function guardOfRequest(request: Request): RequestGuard | undefined {
  return (request as GuardedRequest)[GUARD];
}

/**
 * Guards a handler of web-standard requests: Workers, Deno, Bun, Next.js route handlers, and whatever else answers a `Request`
 * with a `Response`.
 *
 * The slot is held until the handler has settled and the body of its response has ended. A body that is still open when the
 * timeout passes ends with an error, since it cannot be complete. A client that goes away while its request waits gets a 499,
 * which nobody reads.
 *
 * What the handler throws, the guarded one rejects with; and so it does with what the functions of the options throw.
 *
 * @throws GuardConfigError for options that cannot be followed.
 */
export function guardFetch<Args extends readonly unknown[] = []>(
  handler: FetchHandler<Args>,
  options: FetchGuardOptions<Args>,
): (request: Request, ...args: Args) => Promise<Response> {
  const { remoteAddress, onRefused } = options;
  const guard = new HttpGuard<[Request, ...Args]>(options, 'guardFetch', [
    'remoteAddress',
    'onRefused',
  ]);
  return async (request, ...args) => {
    const outcome = await guard.enter({
      input: [request, ...args],
      remoteAddress: remoteAddress?.(request, ...args),
      // Some runtimes make the headers when they are first asked for.
      headers: { get: (name) => request.headers.get(name) },
      signal: () => request.signal,
    });
    const refuse = async (refusal: Refusal): Promise<Response> =>
      (await onRefused?.(refusal, request, ...args)) ?? refusalResponse(refusal);
    if (outcome.kind === 'refused') return refuse(outcome.refusal);
    if (outcome.kind === 'gone') return new Response(null, { status: 499 });
    const answer = (): Awaitable<Response> =>
      runInRequest(outcome.current, () => handler(request, ...args));
    if (outcome.kind === 'skipped') return answer();
    (request as GuardedRequest)[GUARD] = outcome.permit;
    try {
      const response = await holdExchange(request, outcome, answer);
      return withHeaders(response, outcome.headers);
    } catch (error) {
      // The timeout of something within is the handler's own affair.
      if (!isTimeout(error) || error !== outcome.permit.ownSignal.reason) throw error;
      return refuse(outcome.refuse(error));
    }
  };
}
