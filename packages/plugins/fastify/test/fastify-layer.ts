import { Readable } from 'node:stream';

import { currentRequest } from '@frontmcp/guard-http';
import {
  layerOptions,
  type ContractReply,
  type ContractRequest,
  type ContractRoute,
  type HttpLayer,
} from '@frontmcp/guard-http-contract';
import Fastify, { type FastifyReply, type FastifyRequest, type RouteHandlerMethod } from 'fastify';

import { guardFastify } from '../src/index.js';

/** Fastify 5. */
export const fastifyLayer: HttpLayer = {
  cannot: {
    'the stream that a late handler begins is let go':
      'Fastify takes no payload when a response was sent, and does nothing with it',
  },
  async serve({ guard, options, routes }) {
    const fastify = Fastify({ forceCloseConnections: true });
    await fastify.register(
      guardFastify,
      layerOptions<[FastifyRequest, FastifyReply]>(
        guard,
        options,
        requestOf,
        (reply, _request, to) => answer(to, reply),
      ),
    );
    for (const { method, path, limits, inner, handle } of routes) {
      const config = limits === undefined ? {} : { guard: limits };
      const route = { method, url: path, config, handler: handlerOf(handle) };
      if (inner === undefined) fastify.route(route);
      else {
        fastify.register(async (scope) => {
          await scope.register(guardFastify, { ...inner, guard });
          scope.route(route);
        });
      }
    }
    await fastify.listen({ host: '127.0.0.1', port: 0 });
    return { server: fastify.server, close: () => fastify.close() };
  },
};

function handlerOf(handle: ContractRoute['handle']): RouteHandlerMethod {
  return (request, reply) => {
    const result = handle({
      guard: request.guard,
      body: request.body,
      clientIp: currentRequest()?.context.clientIp,
    });
    if (result instanceof Promise) return result.then((late) => answer(reply, late));
    return answer(reply, result);
  };
}

function requestOf(request: FastifyRequest): ContractRequest {
  return {
    path: request.url,
    header: (name) => request.headers[name]?.toString(),
  };
}

function answer(reply: FastifyReply, { status, headers = {}, body }: ContractReply): FastifyReply {
  const payload = body === null || typeof body === 'string' ? body : Readable.from(body);
  return reply.code(status).headers(headers).send(payload);
}
