/**
 * What installing each package brings along (ranges aside, which a release moves). A literal, so
 * that one more package on everybody's disk is a decision that shows in a review.
 */
export const dependencies: Readonly<Record<string, readonly string[]>> = {
  '@frontmcp/guard-core': [],
  '@frontmcp/guard-manager': [
    '@frontmcp/guard-core',
    '@frontmcp/guard-ip-filter',
    '@frontmcp/guard-rate-limit',
    '@frontmcp/guard-semaphore',
    '@frontmcp/guard-storage-adapters',
    '@frontmcp/guard-timeout',
    'zod (peer)',
  ],
  '@frontmcp/guard': [
    '@frontmcp/guard-core',
    '@frontmcp/guard-ip-filter',
    '@frontmcp/guard-manager',
    '@frontmcp/guard-rate-limit',
    '@frontmcp/guard-semaphore',
    '@frontmcp/guard-storage-adapters',
    '@frontmcp/guard-timeout',
    'zod (peer)',
  ],
  '@frontmcp/guard-http': [
    '@frontmcp/guard-core',
    '@frontmcp/guard-ip-filter',
    '@frontmcp/guard-manager',
    '@frontmcp/guard-rate-limit',
    'zod (peer)',
  ],
  '@frontmcp/guard-ip-filter': ['@frontmcp/guard-core'],
  '@frontmcp/guard-express': ['@frontmcp/guard-http', 'express (optional peer)', 'zod (peer)'],
  '@frontmcp/guard-fastify': [
    '@frontmcp/guard-http',
    'fastify (peer)',
    'fastify-plugin',
    'zod (peer)',
  ],
  '@frontmcp/guard-hono': ['@frontmcp/guard-http', 'hono (peer)', 'zod (peer)'],
  '@frontmcp/guard-mcp': [
    '@frontmcp/guard-core',
    '@frontmcp/guard-http',
    '@frontmcp/guard-manager',
    '@frontmcp/guard-rate-limit',
    '@modelcontextprotocol/sdk (optional peer)',
    '@modelcontextprotocol/server (optional peer)',
    'zod (peer)',
  ],
  '@frontmcp/guard-rate-limit': ['@frontmcp/guard-core'],
  '@frontmcp/guard-semaphore': ['@frontmcp/guard-core'],
  '@frontmcp/guard-storage-adapters': [
    '@frontmcp/guard-core',
    '@upstash/redis (optional peer)',
    '@vercel/kv (optional peer)',
    'ioredis (optional peer)',
    'redis (optional peer)',
  ],
  '@frontmcp/guard-storage-conformance': ['@frontmcp/guard-core'],
  '@frontmcp/guard-timeout': ['@frontmcp/guard-core'],
};
