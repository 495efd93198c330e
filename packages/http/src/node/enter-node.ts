import type { HeaderSource } from '../client-ip/header-source.js';
import { asError } from '../guard/as-error.js';
import type { HttpGuard } from '../guard/http-guard.js';
import type { Awaitable, HttpLimits } from '../guard/http-guard-options.js';
import type { Admitted, HttpCall, HttpOutcome, Skipped } from '../guard/http-outcome.js';
import type { Refusal } from '../guard/refusal.js';
import { holdUntilEnd } from './hold-until-end.js';
import { NodeExchange, type NodeRequest, type NodeResponse } from './node-exchange.js';
import { setFields, type FieldSink } from './set-fields.js';

/** A request of node:http, as its framework has it. */
export interface NodeCall<Input extends readonly unknown[]> {
  /** What the framework calls a handler with. */
  readonly input: Input;
  /** The request. */
  readonly request: NodeRequest;
  /** Its response, which nobody has ended. */
  readonly response: NodeResponse;
  /** Where header fields are set: the response, or what the framework writes faster than those of the response. */
  readonly fields: FieldSink;
  /** The client as the framework knows it, by its own trust in proxies. */
  readonly ip: string | undefined;
  /** The limits of the route, see `HttpCall`. */
  readonly limits: HttpLimits | false | undefined;
  /** Answers the request in the place of its handler, which is at work already when it is late. */
  refuse(refusal: Refusal, isLate: boolean): Promise<unknown>;
  /** Hears of an error of `refuse` that comes when the handler has begun, as {@link enterNode} would reject with it. */
  fail(error: Error): unknown;
  /** What the handler is still doing; undefined as well when the framework does not know. */
  working?(): Promise<unknown> | undefined;
}

/** A request on its way through a guard. */
class GuardedExchange<Input extends readonly unknown[]>
  extends NodeExchange
  implements HttpCall<Input>
{
  readonly #call: NodeCall<Input>;

  constructor(call: NodeCall<Input>) {
    super(call.request, call.response);
    this.#call = call;
  }

  get input(): Input {
    return this.#call.input;
  }

  get remoteAddress(): string | undefined {
    return this.#call.request.socket.remoteAddress;
  }

  get ip(): string | undefined {
    return this.#call.ip;
  }

  get headers(): HeaderSource {
    return this.#call.request.headers;
  }

  get limits(): HttpLimits | false | undefined {
    return this.#call.limits;
  }
}

/**
 * Takes a request of node:http through a guard, says on its response what is left of the limits, and sees it to its end. A promise only
 * when something has to be waited for, and for an error.
 *
 * @returns Undefined for a request that does not go on: it is refused, or its client gone.
 * @throws (rejection) What `refuse` and {@link HttpGuard.enter} throw, and an error in the place of what is none.
 */
export function enterNode<Input extends readonly unknown[]>(
  guard: HttpGuard<Input>,
  call: NodeCall<Input>,
): Awaitable<Admitted | Skipped | undefined> {
  try {
    const exchange = new GuardedExchange(call);
    const outcome = guard.enter(exchange);
    const result =
      'then' in outcome
        ? outcome.then((settled) => follow(settled, exchange, call))
        : follow(outcome, exchange, call);
    return result !== undefined && 'then' in result ? result.catch(rethrow) : result;
  } catch (error) {
    return Promise.reject(asError(error));
  }
}

function rethrow(error: unknown): never {
  throw asError(error);
}

function follow<Input extends readonly unknown[]>(
  outcome: HttpOutcome,
  exchange: NodeExchange,
  call: NodeCall<Input>,
): Awaitable<Admitted | Skipped | undefined> {
  if (outcome.kind === 'gone') return undefined;
  if (outcome.kind === 'refused') return call.refuse(outcome.refusal, false).then(() => undefined);
  if (outcome.kind === 'skipped') return outcome;
  const { response } = call;
  if (outcome.isHeld) {
    holdUntilEnd(exchange, response, outcome, {
      answer: (refusal) =>
        call.refuse(refusal, true).catch((error: unknown) => call.fail(asError(error))),
      working: call.working && (() => call.working?.()),
    });
  }
  // Somebody may have begun the response before the guard, or while the request waited.
  if (!response.headersSent) setFields(call.fields, outcome.headers);
  return outcome;
}
