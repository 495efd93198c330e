import type { Admitted, HttpGuard, Skipped } from '../guard/http-guard.js';
import type { HttpLimits } from '../guard/http-guard-options.js';
import type { Refusal } from '../guard/refusal.js';
import { holdUntilEnd } from './hold-until-end.js';
import { NodeExchange, type NodeRequest, type NodeResponse } from './node-exchange.js';
import { setFields, type FieldSink } from './set-fields.js';

/** A request of node:http, as its framework has it. */
export interface NodeCall<Input extends readonly unknown[]> {
  /** What the framework calls a handler with. */
  readonly input: Input;
  readonly request: NodeRequest;
  readonly response: NodeResponse;
  /** Where header fields are set: the response by default, or what the framework writes faster than those of the response. */
  readonly fields?: FieldSink;
  /** The client as the framework knows it, by its own trust in proxies. */
  readonly ip: string | undefined;
  /** The limits of the route, see `HttpCall`. */
  readonly limits: HttpLimits | false | undefined;
  /** Answers the request in the place of its handler, which is at work already when it is late. */
  readonly refuse: (refusal: Refusal, isLate: boolean) => Promise<unknown>;
  /** Hears of an error of `refuse` that comes when the handler has begun. */
  readonly fail: (error: unknown) => unknown;
  /** What the handler is still doing, when the framework knows. */
  readonly working?: () => Promise<unknown> | undefined;
}

/**
 * Takes a request of node:http through a guard, says on its response what is left of the limits, and sees it to its end.
 *
 * @returns Undefined for a request that does not go on: it is refused, or its client gone.
 * @throws What `refuse` and {@link HttpGuard.enter} throw.
 */
export async function enterNode<Input extends readonly unknown[]>(
  guard: HttpGuard<Input>,
  {
    input,
    request,
    response,
    fields = response,
    ip,
    limits,
    refuse,
    fail,
    working,
  }: NodeCall<Input>,
): Promise<Admitted | Skipped | undefined> {
  const exchange = new NodeExchange(request, response);
  const { socket, headers } = request;
  const outcome = await guard.enter({
    input,
    remoteAddress: socket.remoteAddress,
    ip,
    headers,
    signal: exchange.signal,
    limits,
  });
  if (outcome.kind === 'gone') return undefined;
  if (outcome.kind === 'refused') {
    await refuse(outcome.refusal, false);
    return undefined;
  }
  if (outcome.kind === 'admitted') {
    const answer = (refusal: Refusal): unknown => refuse(refusal, true).catch(fail);
    holdUntilEnd(exchange, response, outcome, { answer, working });
    // Somebody may have begun the response before the guard, or while the request waited.
    if (!response.headersSent) setFields(fields, outcome.headers);
  }
  return outcome;
}
