import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';

import { getRequestListener } from '@hono/node-server';

import type { Served } from './contract-layer.ts';

/** What a fetch handler on Node is told beside the request. */
export interface NodeBindings {
  readonly incoming: IncomingMessage;
}

/** Serves what answers the requests of node:http. */
export async function serveNode(listener: RequestListener): Promise<Served> {
  return served(createServer(listener).listen(0, '127.0.0.1'));
}

/** Serves what answers a web-standard request, through the adapter of Hono. */
export async function serveFetch(
  fetch: (request: Request, bindings: NodeBindings) => Response | Promise<Response>,
): Promise<Served> {
  const listener = getRequestListener((request, bindings) =>
    fetch(request, bindings as NodeBindings),
  );
  return serveNode((incoming, outgoing) => void listener(incoming, outgoing));
}

async function served(server: Server): Promise<Served> {
  await once(server, 'listening');
  return {
    server,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
