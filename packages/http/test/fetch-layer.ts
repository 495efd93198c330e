import {
  layerOptions,
  serveFetch,
  type ContractReply,
  type ContractRequest,
  type ContractRoute,
  type HttpLayer,
  type NodeBindings,
} from '@frontmcp/guard-http-contract';

import { currentRequest, guardFetch, guardOfRequest, type FetchHandler } from '../src/index.js';

type Handler = FetchHandler<[NodeBindings]>;

const NOT_FOUND: Handler = () => new Response('Not found', { status: 404 });

/** Any fetch handler, served by the adapter of Hono for Node. */
export const fetchLayer: HttpLayer = {
  serve({ guard, options, routes }) {
    const find = (request: Request): ContractRoute | undefined =>
      routes.find(
        ({ method, path }) =>
          method === request.method.replace('HEAD', 'GET') &&
          path === new URL(request.url).pathname,
      );
    const shared = {
      ...layerOptions(guard, options, requestOf, toResponse),
      remoteAddress: (_request: Request, { incoming }: NodeBindings) =>
        incoming.socket.remoteAddress,
    };
    const inner = new Map(
      routes.map((route) => [
        route,
        route.inner === undefined
          ? handlerOf(route)
          : guardFetch(handlerOf(route), { ...route.inner, guard }),
      ]),
    );
    const handler: Handler = (request, ...rest) => {
      const route = find(request);
      return (route === undefined ? NOT_FOUND : (inner.get(route) ?? NOT_FOUND))(request, ...rest);
    };
    const guarded = guardFetch<[NodeBindings]>(handler, {
      ...shared,
      limits: (request) => find(request)?.limits ?? options.limits?.(requestOf(request)),
    });
    return serveFetch(guarded);
  },
};

function handlerOf({ handle }: ContractRoute): Handler {
  return async (request) => {
    const body: unknown = request.method === 'POST' ? await request.json() : undefined;
    const reply = handle({
      guard: guardOfRequest(request),
      body,
      clientIp: currentRequest()?.context.clientIp,
    });
    return toResponse(await reply);
  };
}

function requestOf(request: Request): ContractRequest {
  return {
    path: new URL(request.url).pathname,
    header: (name) => request.headers.get(name) ?? undefined,
  };
}

function toResponse({ status, headers = {}, body }: ContractReply): Response {
  const stream =
    body === null || typeof body === 'string'
      ? body
      : (ReadableStream as unknown as { from(chunks: typeof body): ReadableStream }).from(body);
  return new Response(stream, { status, headers });
}
