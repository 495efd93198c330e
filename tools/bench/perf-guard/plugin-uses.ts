import type { Use } from '../src/size-uses.ts';

/** Who uses a plugin has its framework, and makes a manager with `@frontmcp/guard`. */
const AT_HAND = [
  '@frontmcp/guard',
  '@modelcontextprotocol/sdk',
  '@modelcontextprotocol/server',
  'express',
  'fastify',
  'fastify-plugin',
  'hono',
  'ioredis',
  'redis',
  '@upstash/redis',
  '@vercel/kv',
  'zod',
];

const use = (name: string, imported: string, program: string): Use => ({
  name: `@frontmcp/${name}`,
  source: `import { ${imported} } from '@frontmcp/${name}';\nexport const guarded = ${program};`,
  external: AT_HAND,
});

/** The simplest use of each plugin, with all that it brings along. There is no peer to compare them with. */
export const pluginUses: readonly Use[] = [
  use('guard-http', 'guardFetch', '(handler, guard) => guardFetch(handler, { guard })'),
  use('guard-express', 'guardExpress', '(guard) => guardExpress({ guard })'),
  use('guard-fastify', 'guardFastify', '(app, guard) => app.register(guardFastify, { guard })'),
  use('guard-hono', 'guardHono', '(guard) => guardHono({ guard })'),
  use('guard-mcp', 'guardMcpServer', '(server, guard) => guardMcpServer(server, { guard })'),
];
