import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createGuardManager, type GuardManager } from '@frontmcp/guard';
import { guardExpress } from '@frontmcp/guard-express';
import { guardFastify } from '@frontmcp/guard-fastify';
import { guardHono } from '@frontmcp/guard-hono';
import { guardFetch } from '@frontmcp/guard-http';
import { guardMcpServer } from '@frontmcp/guard-mcp';
import { createAdaptorServer } from '@hono/node-server';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';

/** Addresses of callers, as the tool's own limit sees them. */
type Seen = (string | undefined)[];

/** An HTTP layer in front of an MCP server, both with the same guard. */
type Front = (guard: GuardManager, seen: Seen) => Promise<Server>;

const trusting = { trustProxy: true } as const;

function limitsOf(seen: Seen): Parameters<typeof guardMcpServer>[1]['tools'] {
  const partitionBy = ({ clientIp }: { clientIp?: string | undefined }): string => {
    seen.push(clientIp);
    return 'all';
  };
  return { greet: { rateLimit: { maxRequests: 1_000, windowMs: 3_600_000, partitionBy } } };
}

function handlerV2(guard: GuardManager, seen: Seen): ReturnType<typeof createMcpHandler> {
  return createMcpHandler(() => {
    const server = new McpServer({ name: 'layers', version: '1.0.0' });
    guardMcpServer(server, { guard, tools: limitsOf(seen) });
    server.registerTool('greet', {}, () => ({ content: [{ type: 'text', text: 'hello' }] }));
    return server;
  });
}

async function listening(server: Server): Promise<Server> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const fronts: Readonly<Record<string, Front>> = {
  'guardFetch and SDK v2': (guard, seen) => {
    const handler = handlerV2(guard, seen);
    const fetch = guardFetch((request: Request) => handler.fetch(request), { guard, ...trusting });
    return listening(createAdaptorServer({ fetch }) as Server);
  },
  'Hono and SDK v2': (guard, seen) => {
    const handler = handlerV2(guard, seen);
    const app = new Hono();
    app.use(guardHono({ guard, ...trusting }));
    app.all('/mcp', (c) => handler.fetch(c.req.raw));
    return listening(createAdaptorServer({ fetch: app.fetch }) as Server);
  },
  'Express and SDK v2': (guard, seen) => {
    const handler = toNodeHandler(handlerV2(guard, seen));
    const app = express();
    app.use(guardExpress({ guard, ...trusting }));
    app.use(express.json());
    app.all('/mcp', (request, response) => {
      void handler(request as Parameters<typeof handler>[0], response, request.body);
    });
    return listening(createServer(app));
  },
  'Express and SDK v1, a server for each request': (guard, seen) => {
    const app = express();
    app.use(guardExpress({ guard, ...trusting }));
    app.use(express.json());
    app.post('/mcp', async (request, response) => {
      const server = new McpServerV1({ name: 'layers', version: '1.0.0' });
      server.registerTool('greet', {}, () => ({ content: [{ type: 'text', text: 'hello' }] }));
      guardMcpServer(server, { guard, tools: limitsOf(seen) });
      const transport = new StreamableHTTPServerTransport();
      response.on('close', () => void server.close());
      await server.connect(transport);
      await transport.handleRequest(request, response, request.body);
    });
    return listening(createServer(app));
  },
  'Fastify and SDK v2': async (guard, seen) => {
    const handler = toNodeHandler(handlerV2(guard, seen));
    const app = fastify();
    await app.register(guardFastify, { guard, ...trusting });
    app.all('/mcp', (request, reply) => {
      reply.hijack();
      return handler(request.raw as Parameters<typeof handler>[0], reply.raw, request.body);
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    return app.server;
  },
};

describe.each(Object.entries(fronts))('an MCP server behind %s', (_, front) => {
  let guard: GuardManager;
  let server: Server;
  let client: Client;
  const seen: Seen = [];

  beforeAll(async () => {
    guard = await createGuardManager({
      config: {
        enabled: true,
        global: { maxRequests: 1_000, windowMs: 3_600_000 },
        globalConcurrency: { maxConcurrent: 1, queueTimeoutMs: 5_000 },
      },
    });
    server = await front(guard, seen);
    const { port } = server.address() as AddressInfo;
    const headers = { 'x-forwarded-for': '192.0.2.66, 198.51.100.7' };
    client = new Client(
      { name: 'client', version: '1.0.0' },
      { versionNegotiation: { mode: 'auto' } },
    );
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${String(port)}/mcp`), {
        requestInit: { headers },
      }),
    );
  });

  afterAll(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
    await guard.destroy();
  });

  const countedBy = async (work: () => Promise<unknown>): Promise<number> => {
    const before = (await guard.checkGlobalRateLimit(undefined)).currentCount;
    await work();
    return (await guard.checkGlobalRateLimit(undefined)).currentCount - before - 1;
  };
  const greet = async (): Promise<unknown> => {
    const { content } = await client.callTool({ name: 'greet', arguments: {} });
    return content;
  };

  it('counts a call once, and one slot is enough for it and its request', async () => {
    // Clients of older protocols ask for a stream first, which is a request as well.
    await greet();
    const counted = await countedBy(async () => {
      expect(await greet()).toEqual([{ type: 'text', text: 'hello' }]);
    });
    expect(counted).toBe(1);
  });

  it('knows the address that the layer in front has found', async () => {
    seen.length = 0;
    await greet();
    expect(seen).toEqual(['198.51.100.7']);
  });

  it('has nobody left with the slot after many calls at once', async () => {
    await Promise.all(Array.from({ length: 20 }, greet));
    const ticket = await guard.acquireGlobalSemaphore(undefined);
    expect(ticket).not.toBeNull();
    await ticket?.release();
  });
});
