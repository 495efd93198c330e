import { createGuardManager } from '@frontmcp/guard';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as McpServerV2 } from '@modelcontextprotocol/server';
import { z } from 'zod';

import { guardMcpServer, guardTool } from '../src/index.js';

const info = { name: 'test', version: '1.0.0' };

test('handlers are typed by what they are registered for, with the guard around them', async () => {
  const guard = await createGuardManager({ config: { enabled: true } });
  const v1: McpServerV1 = guardMcpServer(new McpServerV1(info), { guard });
  v1.registerTool(
    'add',
    { inputSchema: { n: z.number() } },
    guardTool('add', { guard }, async ({ n }, extra) => ({
      content: [{ type: 'text', text: `${n.toFixed()} ${String(extra.signal.aborted)}` }],
    })),
  );
  v1.registerTool(
    'bare',
    {},
    guardTool('bare', { guard }, (extra) => ({
      content: [{ type: 'text', text: String(extra.requestId) }],
    })),
  );
  const v2: McpServerV2 = guardMcpServer(new McpServerV2(info), { guard });
  v2.registerTool(
    'add',
    { inputSchema: z.object({ n: z.number() }) },
    guardTool('add', { guard }, async ({ n }, ctx) => ({
      content: [{ type: 'text', text: `${n.toFixed()} ${String(ctx.mcpReq.signal.aborted)}` }],
    })),
  );
  v2.registerTool(
    'bare',
    {},
    guardTool('bare', { guard }, (ctx) => ({
      content: [{ type: 'text', text: String(ctx.mcpReq.id) }],
    })),
  );
  expect([v1.isConnected(), v2.isConnected()]).toEqual([false, false]);
  await guard.destroy();
});
