import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createGuardManager } from '@frontmcp/guard';
import { guardMcpServer } from '@frontmcp/guard-mcp';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';

import { exportLimits, reportLimits } from './limits.ts';

/** A server of tickets that runs. */
export interface RunningServer {
  readonly url: URL;
  /** How many reports are being written at this moment. */
  readonly writing: () => number;
  stop(): Promise<void>;
}

/** Starts an MCP server over streamable HTTP, on a free port of this machine. */
export async function startServer(): Promise<RunningServer> {
  // The guard is made once. A server is built for each request, and each is guarded by it.
  const guard = await createGuardManager({
    config: { enabled: true, global: { maxRequests: 100, windowMs: 60_000 } },
  });
  let writing = 0;

  const handler = createMcpHandler(() => {
    const server = guardMcpServer(new McpServer({ name: 'tickets', version: '1.0.0' }), {
      guard,
      tools: { export_tickets: exportLimits, write_report: reportLimits },
    });
    server.registerTool('export_tickets', { description: 'Exports all tickets' }, () => ({
      content: [{ type: 'text', text: '42 tickets' }],
    }));
    server.registerTool(
      'write_report',
      { description: 'Writes a report, for as long as it may' },
      async ({ mcpReq: { signal } }) => {
        writing += 1;
        // What the client cancels and what takes too long is told by one signal.
        await once(signal, 'abort').finally(() => (writing -= 1));
        return { content: [{ type: 'text', text: 'nobody reads this' }] };
      },
    );
    return server;
  });

  const handle = toNodeHandler(handler);
  type Request = Parameters<typeof handle>[0];
  const http = createServer((request, response) => void handle(request as Request, response));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${String(port)}/mcp`),
    writing: () => writing,
    stop: async () => {
      await handler.close();
      http.closeAllConnections();
      http.close();
      await guard.destroy();
    },
  };
}
