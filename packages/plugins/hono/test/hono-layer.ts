import { currentRequest } from '@frontmcp/guard-http';
import {
  layerOptions,
  serveFetch,
  type ContractReply,
  type ContractRequest,
  type ContractRoute,
  type HttpLayer,
  type NodeBindings,
} from '@frontmcp/guard-http-contract';
import { Hono, type Context, type Handler } from 'hono';

import { guardHono } from '../src/index.js';

interface OnNode {
  Bindings: NodeBindings;
}

/** Hono, served by its adapter for Node. */
export const honoLayer: HttpLayer = {
  cannot: {
    'the stream that a late handler begins is let go':
      'Hono drops what a handler returns when there is a response already, and shows it to nobody',
  },
  serve({ guard, options, routes }) {
    const app = new Hono<OnNode>();
    const guarded = guardHono<OnNode>({
      ...layerOptions(guard, options, requestOf, (reply) => toResponse(reply)),
      remoteAddress: ({ env }) => env.incoming.socket.remoteAddress,
    });
    for (const { path, limits } of routes) {
      if (limits !== undefined) app.use(path, guarded.route(limits));
    }
    app.use(guarded);
    for (const { method, path, inner, handle } of routes) {
      if (inner !== undefined) app.use(path, guarded.route(inner));
      app.on(method, path, handlerOf(handle));
    }
    app.onError((_error, context) => context.text('Internal Server Error', 500));
    return serveFetch((request, bindings) => app.fetch(request, bindings));
  },
};

function handlerOf(handle: ContractRoute['handle']): Handler<OnNode> {
  return async (context) => {
    const body: unknown = context.req.method === 'POST' ? await context.req.json() : undefined;
    const reply = handle({
      guard: context.get('guard'),
      body,
      clientIp: currentRequest()?.context.clientIp,
    });
    return toResponse(await reply);
  };
}

function requestOf({ req }: Context<OnNode>): ContractRequest {
  return { path: req.path, header: (name) => req.header(name) };
}

function toResponse({ status, headers = {}, body }: ContractReply): Response {
  const stream =
    body === null || typeof body === 'string'
      ? body
      : (ReadableStream as unknown as { from(chunks: typeof body): ReadableStream }).from(body);
  return new Response(stream, { status, headers });
}
