/**
 * One deliberate violation of each boundary, beside its legal twin. A case names a file that need
 * not exist: the layer and the exceptions follow from its path.
 */
export interface BoundaryCase {
  readonly title: string;
  readonly file: string;
  readonly code: string;
  /** The rule that must complain; none if the code is legal. */
  readonly rule?: string;
}

const layersRule = '@nx/enforce-module-boundaries';
const imports = 'no-restricted-imports';
const globals = 'no-restricted-globals';
const syntax = 'no-restricted-syntax';

const use = (name: string): string =>
  `import { x } from '${name}';\nexport const y: unknown = x;\n`;
const core = '@frontmcp/guard-core';
const store = '@frontmcp/guard-storage-adapters';
const suite = '@frontmcp/guard-storage-conformance';

export const cases: readonly BoundaryCase[] = [
  legal('layer 1 uses layer 0', 'rate-limit/src/probe.ts', use(core)),
  illegal('layer 0 uses layer 1', 'core/src/probe.ts', use(store), layersRule),
  illegal('a test of core uses a store', 'core/src/probe.spec.ts', use(store), layersRule),
  illegal('siblings in source', 'rate-limit/src/probe.ts', use(store), layersRule),
  legal('a store in a test', 'rate-limit/src/probe.spec.ts', use(store)),
  legal('the suite in a test folder', 'semaphore/test/probe.spec.ts', use(suite)),
  legal('the suite in a store test', 'storage-adapters/src/probe.spec.ts', use(suite)),
  illegal(
    'another sibling in a test',
    'rate-limit/src/probe.spec.ts',
    use('@frontmcp/guard-semaphore'),
    layersRule,
  ),
  legal('layer 2 uses layer 1', 'guard-manager/src/probe.ts', use(store)),
  illegal(
    'layer 1 uses layer 2',
    'semaphore/src/probe.ts',
    use('@frontmcp/guard-manager'),
    layersRule,
  ),
  illegal('layer 2 uses layer 3', 'guard-manager/src/probe.ts', use('@frontmcp/guard'), layersRule),
  illegal(
    'a relative path into another package',
    'semaphore/src/probe.ts',
    use('../../core/src/index.js'),
    layersRule,
  ),

  legal('a client in the stores', 'storage-adapters/src/redis/probe.ts', use('ioredis')),
  illegal('a client elsewhere', 'rate-limit/src/probe.ts', use('ioredis'), imports),
  illegal('a client in a test elsewhere', 'rate-limit/src/probe.spec.ts', use('redis'), imports),
  ...[
    '@redis/client',
    '@upstash/redis',
    '@vercel/kv',
    '@cloudflare/workers-types',
    'cloudflare:workers',
  ].map((client) => illegal(client, 'core/src/probe.ts', use(client), imports)),
  illegal(
    'a client loaded later',
    'core/src/probe.ts',
    `export const y = (): unknown => import('ioredis');\n`,
    syntax,
  ),
  illegal(
    'a client as a type',
    'core/src/probe.ts',
    `export type Y = import('@upstash/redis').Redis;\n`,
    syntax,
  ),
  legal(
    'a client loaded later by the stores',
    'storage-adapters/src/redis/probe.ts',
    `export const y = (): unknown => import('ioredis');\n`,
  ),

  legal('zod in the schemas', 'guard-manager/src/schemas.ts', use('zod')),
  legal('zod in a folder of schemas', 'guard-manager/src/schemas/probe.ts', use('zod')),
  illegal('zod in the manager', 'guard-manager/src/probe.ts', use('zod'), imports),
  illegal('zod in the stores', 'storage-adapters/src/probe.ts', use('zod/mini'), imports),
  illegal('zod in the umbrella', 'guard/src/index.ts', use('zod'), imports),
  illegal('a client in the schemas', 'guard-manager/src/schemas.ts', use('redis'), imports),

  legal('a framework in its plugin', 'plugins/hono/src/probe.ts', use('hono')),
  legal('a server in a test of http', 'http/test/probe.ts', use('@hono/node-server')),
  ...['express', 'fastify', 'fastify-plugin', 'hono/utils', '@modelcontextprotocol/sdk'].map(
    (framework) => illegal(framework, 'http/src/probe.ts', use(framework), imports),
  ),
  illegal('a framework in the manager', 'guard-manager/src/probe.ts', use('express'), imports),
  illegal('a framework in the stores', 'storage-adapters/src/probe.ts', use('hono'), imports),
  illegal('a framework in the schemas', 'guard-manager/src/schemas.ts', use('hono'), imports),
  illegal(
    'an SDK in the plugin for both',
    'plugins/mcp/src/probe.ts',
    use('@modelcontextprotocol/server'),
    imports,
  ),
  legal(
    'an SDK in a test of that plugin',
    'plugins/mcp/src/probe.spec.ts',
    use('@modelcontextprotocol/server'),
  ),
  illegal('a client in a plugin', 'plugins/hono/src/probe.ts', use('ioredis'), imports),
  illegal('zod in a plugin', 'plugins/mcp/src/probe.ts', use('zod'), imports),
  illegal(
    'a plugin uses another',
    'plugins/hono/src/probe.ts',
    use('@frontmcp/guard-express'),
    layersRule,
  ),
  illegal('layer 3 uses layer 4', 'http/src/probe.ts', use('@frontmcp/guard-hono'), layersRule),
  illegal('a sibling of layer 3', 'http/src/probe.ts', use('@frontmcp/guard'), layersRule),

  ...['document', 'window', 'localStorage', 'alert', 'XMLHttpRequest'].map((name) =>
    illegal(name, 'core/src/probe.ts', `export const y: unknown = ${name};\n`, globals),
  ),
  illegal(
    'a global of a browser in a plugin',
    'plugins/hono/src/probe.ts',
    'export const y: unknown = document;\n',
    globals,
  ),
  legal(
    'a global of every server, and a name of its own',
    'core/src/probe.ts',
    'export const y = (window: number): unknown => [fetch, crypto, performance, window];\n',
  ),

  illegal('export *', 'core/src/probe.ts', `export * from './x.js';\n`, syntax),
  legal('a named export', 'core/src/probe.ts', `export { x } from './x.js';\n`),
  illegal('a lone test', 'core/src/probe.spec.ts', `it.only('x', () => undefined);\n`, syntax),
  illegal(
    'a rule silenced without a reason',
    'core/src/probe.ts',
    `// eslint-disable-next-line no-console\nconsole.log('');\n`,
    'comments/require-description',
  ),
  legal(
    'a rule silenced with a reason',
    'core/src/probe.ts',
    `// eslint-disable-next-line no-console -- shows the form\nconsole.log('');\n`,
  ),
];

function legal(title: string, file: string, code: string): BoundaryCase {
  return { title: `allows ${title}`, file: `packages/${file}`, code };
}

function illegal(title: string, file: string, code: string, rule: string): BoundaryCase {
  return { title: `refuses ${title}`, file: `packages/${file}`, code, rule };
}
