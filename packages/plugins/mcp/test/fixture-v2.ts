import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

import { guardMcpServer } from '../src/guard-mcp-server.ts';
import { fixtureOptions, toolsOf, type FixtureOptions, type Moment } from './fixture.ts';
import type { World } from './world.ts';

/** A server of SDK v2. */
export function fixtureV2(
  world: World,
  options: FixtureOptions,
  moment: Moment = 'first',
): McpServer {
  const capabilities = { tools: {}, resources: {}, prompts: {} };
  const server = new McpServer(
    { name: 'fixture', version: '1.0.0' },
    moment === 'up front' ? { capabilities } : {},
  );
  const guarded = () => guardMcpServer(server, fixtureOptions(world, options));
  if (moment === 'first' || moment === 'up front') guarded();
  for (const [name, tool] of Object.entries(toolsOf(world))) {
    server.registerTool(name, {}, (ctx) => tool(ctx.mcpReq.signal, ctx));
  }
  server.registerTool(
    'structured',
    {
      inputSchema: z.object({ n: z.number().optional() }),
      outputSchema: z.object({ ok: z.boolean() }),
    },
    () => ({ content: [], structuredContent: { ok: true } }),
  );
  server.registerResource('memo', 'memo://one', {}, (uri) => ({
    contents: [{ uri: uri.href, text: 'memo' }],
  }));
  server.registerPrompt('greet', {}, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'hello' } }],
  }));
  if (moment === 'last') guarded();
  return server;
}
