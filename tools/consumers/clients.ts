/** A library that a package works with, at the lowest or the latest version that it says it works with. */
export interface Client {
  /** The name that the library is imported by, and that stands among the peers. */
  readonly name: string;
  readonly version: string;
  /** Where it is in node_modules, if not by its name. */
  readonly from?: string;
  /** What it is compiled and run by, in `fixtures`. */
  readonly program: string;
  /** The type of the storage that is made of it: from CommonJS too, which loads it in another way. */
  readonly storage?: 'redis' | 'upstash' | 'vercel-kv';
  /** What is linked beside it: its types, or what a program needs to talk to it. */
  readonly beside?: readonly string[];
  /** Why its own declarations cannot be checked. */
  readonly skipLibCheck?: string;
}

/** Floors first. Each is used alone, so that none is there because of another. */
export const clients: readonly Client[] = [
  {
    name: 'ioredis',
    version: '5.0.0',
    from: 'ioredis-floor',
    program: 'ioredis-default',
    storage: 'redis',
  },
  { name: 'ioredis', version: '6.0.0', program: 'ioredis', storage: 'redis' },
  {
    name: 'redis',
    version: '5.0.0',
    from: 'redis-floor',
    program: 'redis',
    storage: 'redis',
  },
  {
    name: 'redis',
    version: '6.3.1',
    from: 'redis-ceiling',
    program: 'redis',
    storage: 'redis',
  },
  {
    name: '@upstash/redis',
    version: '1.35.2',
    from: 'upstash-floor',
    program: 'upstash',
    storage: 'upstash',
  },
  { name: '@upstash/redis', version: '1.39.0', program: 'upstash', storage: 'upstash' },
  { name: '@vercel/kv', version: '3.0.0', program: 'vercel-kv', storage: 'vercel-kv' },
  {
    name: 'express',
    version: '4.17.0',
    from: 'express-floor',
    program: 'express',
    beside: ['@types/express'],
  },
  {
    name: 'express',
    version: '5.3.0',
    program: 'express',
    beside: ['@types/express'],
  },
  {
    name: 'fastify',
    version: '5.0.0',
    from: 'fastify-floor',
    program: 'fastify',
  },
  { name: 'fastify', version: '5.12.8', program: 'fastify' },
  {
    name: 'hono',
    version: '4.0.0',
    from: 'hono-floor',
    program: 'hono',
    skipLibCheck: 'It declares the property "render" of Context twice',
  },
  { name: 'hono', version: '4.13.19', program: 'hono' },
  {
    name: '@modelcontextprotocol/sdk',
    version: '1.20.0',
    from: 'mcp-sdk-floor',
    program: 'mcp-sdk',
  },
  { name: '@modelcontextprotocol/sdk', version: '1.32.2', program: 'mcp-sdk' },
  {
    name: '@modelcontextprotocol/server',
    version: '2.0.0',
    from: 'mcp-server-floor',
    program: 'mcp-server',
    beside: ['@modelcontextprotocol/client'],
  },
  {
    name: '@modelcontextprotocol/server',
    version: '2.4.0',
    program: 'mcp-server',
    beside: ['@modelcontextprotocol/client'],
  },
  { name: 'zod', version: '4.0.0', from: 'zod-floor', program: 'zod' },
  { name: 'zod', version: '4.6.7', program: 'zod' },
];
