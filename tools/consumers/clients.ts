/** A library that a package works with, at the lowest or the latest version that it says it works with. */
export interface Client {
  /** The package of ours, as a folder below `packages`. */
  readonly of: string;
  /** The name that the library is imported by, and that stands among the peers. */
  readonly name: string;
  readonly version: string;
  /** Where it is in node_modules, if not by its name. */
  readonly from?: string;
  /** What it is compiled and run by, in `fixtures`. */
  readonly program: string;
  /** What is linked beside it: its types, or what a program needs to talk to it. */
  readonly beside?: readonly string[];
  /** Why its own declarations cannot be checked. */
  readonly skipLibCheck?: string;
}

/** Floors first. Each is used alone, so that none is there because of another. */
export const clients: readonly Client[] = [
  {
    of: 'storage-adapters',
    name: 'ioredis',
    version: '5.0.0',
    from: 'ioredis-floor',
    program: 'ioredis-default',
  },
  { of: 'storage-adapters', name: 'ioredis', version: '6.0.0', program: 'ioredis' },
  {
    of: 'storage-adapters',
    name: 'redis',
    version: '5.0.0',
    from: 'redis-floor',
    program: 'redis',
  },
  {
    of: 'storage-adapters',
    name: 'redis',
    version: '6.3.1',
    from: 'redis-ceiling',
    program: 'redis',
  },
  {
    of: 'storage-adapters',
    name: '@upstash/redis',
    version: '1.35.2',
    from: 'upstash-floor',
    program: 'upstash',
  },
  { of: 'storage-adapters', name: '@upstash/redis', version: '1.39.0', program: 'upstash' },
  { of: 'storage-adapters', name: '@vercel/kv', version: '3.0.0', program: 'vercel-kv' },
  {
    of: 'plugins/express',
    name: 'express',
    version: '4.17.0',
    from: 'express-floor',
    program: 'express',
    beside: ['@types/express'],
  },
  {
    of: 'plugins/express',
    name: 'express',
    version: '5.3.0',
    program: 'express',
    beside: ['@types/express'],
  },
  {
    of: 'plugins/fastify',
    name: 'fastify',
    version: '5.0.0',
    from: 'fastify-floor',
    program: 'fastify',
  },
  { of: 'plugins/fastify', name: 'fastify', version: '5.12.8', program: 'fastify' },
  {
    of: 'plugins/hono',
    name: 'hono',
    version: '4.0.0',
    from: 'hono-floor',
    program: 'hono',
    skipLibCheck: 'It declares the property "render" of Context twice',
  },
  { of: 'plugins/hono', name: 'hono', version: '4.13.19', program: 'hono' },
  {
    of: 'plugins/mcp',
    name: '@modelcontextprotocol/sdk',
    version: '1.20.0',
    from: 'mcp-sdk-floor',
    program: 'mcp-sdk',
  },
  { of: 'plugins/mcp', name: '@modelcontextprotocol/sdk', version: '1.32.2', program: 'mcp-sdk' },
  {
    of: 'plugins/mcp',
    name: '@modelcontextprotocol/server',
    version: '2.0.0',
    from: 'mcp-server-floor',
    program: 'mcp-server',
    beside: ['@modelcontextprotocol/client'],
  },
  {
    of: 'plugins/mcp',
    name: '@modelcontextprotocol/server',
    version: '2.4.0',
    program: 'mcp-server',
    beside: ['@modelcontextprotocol/client'],
  },
  { of: 'guard-manager', name: 'zod', version: '4.0.0', from: 'zod-floor', program: 'zod' },
  { of: 'guard-manager', name: 'zod', version: '4.6.7', program: 'zod' },
];
