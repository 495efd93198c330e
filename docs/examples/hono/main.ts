/**
 * Guard in a Hono application on Cloudflare's runtime, its limits kept in Durable Objects: `npm run build && node
 * docs/examples/hono/main.ts`. Exit code 0 when every limit held.
 */
import { resolve } from 'node:path';

import { startWorker } from '@frontmcp/guard-services';

import { visit } from '../visitor/visit.ts';

const worker = await startWorker({
  entry: resolve(import.meta.dirname, 'worker.ts'),
  objects: { GUARD: 'GuardObject' },
  compatibilityFlags: ['nodejs_compat'],
});
console.log('Hono on workerd, with Durable Objects');
await visit(worker.address);
await worker.stop();
