import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { currentRequest } from '@frontmcp/guard-http';
import {
  layerOptions,
  serveNode,
  type ContractReply,
  type ContractRequest,
  type ContractRoute,
  type HttpLayer,
} from '@frontmcp/guard-http-contract';
import type express from 'express';

import { guardExpress } from '../src/index.js';

/** Express, of the version that is given. */
export function expressLayer(framework: typeof express): HttpLayer {
  return {
    cannot: {
      'a handler that goes on though its client is gone keeps its slot until it ends':
        'Express does not say what a handler is doing, and one whose client is gone need not end anything',
    },
    async serve({ guard, options, routes }) {
      const app = framework();
      const guarded = guardExpress(
        layerOptions<[express.Request, express.Response]>(
          guard,
          options,
          requestOf,
          (reply, _request, response) => answer(response, reply),
        ),
      );
      const json = framework.json();
      for (const { method, path, limits, inner, handle } of routes) {
        const before = limits === undefined ? [] : [guarded.route(limits)];
        const within = inner === undefined ? [] : [guarded.route(inner)];
        const add = method === 'GET' ? app.get.bind(app) : app.post.bind(app);
        add(path, ...before, guarded, ...within, json, handlerOf(handle));
      }
      app.use(guarded);
      return serveNode(app);
    },
  };
}

function handlerOf(handle: ContractRoute['handle']): express.RequestHandler {
  return (request, response, next) => {
    const reply = handle({
      guard: request.guard,
      body: request.body as unknown,
      clientIp: currentRequest()?.context.clientIp,
    });
    if (reply instanceof Promise) reply.then((late) => answer(response, late)).catch(next);
    else answer(response, reply).catch(next);
  };
}

function requestOf(request: express.Request): ContractRequest {
  return { path: request.path, header: (name) => request.get(name) };
}

async function answer(
  response: express.Response,
  { status, headers = {}, body }: ContractReply,
): Promise<void> {
  response.status(status).set(headers);
  if (body === null) response.end();
  else if (typeof body === 'string') response.send(body);
  else await stream(Readable.from(body), response);
}

async function stream(source: Readable, response: express.Response): Promise<void> {
  try {
    await pipeline(source, response);
  } finally {
    // A response that is closed already is an error for a pipeline, which then leaves its source as it is.
    source.destroy();
  }
}
