import type { StorageConfig } from '@frontmcp/guard-storage-adapters';
import { z } from 'zod';

const clientOptions = z.record(z.string(), z.unknown());
const anObject = z.custom<object>((value) => typeof value === 'object' && value !== null, {
  error: 'must be an object',
});

/**
 * Where the counters are kept, see `StorageConfig`. Strict down to the options of a client library, which are the library's
 * own.
 */
export const storageConfigSchema: z.ZodType<StorageConfig, StorageConfig> = z.strictObject({
  type: z
    .enum(['auto', 'memory', 'redis', 'upstash', 'vercel-kv', 'cloudflare-kv'])
    .exactOptional(),
  redis: z
    .strictObject({
      url: z.string().exactOptional(),
      config: clientOptions.exactOptional(),
      client: anObject.exactOptional(),
      cluster: clientOptions.exactOptional(),
      sentinel: clientOptions.exactOptional(),
    })
    .exactOptional(),
  upstash: z
    .strictObject({
      url: z.string().exactOptional(),
      token: z.string().exactOptional(),
      enablePubSub: z.boolean().exactOptional(),
    })
    .exactOptional(),
  vercelKv: z
    .strictObject({ url: z.string().exactOptional(), token: z.string().exactOptional() })
    .exactOptional(),
  cloudflareKv: z.strictObject({ namespace: anObject }).exactOptional(),
  memory: z
    .strictObject({ maxEntries: z.number().int().positive().exactOptional() })
    .exactOptional(),
  fallback: z.enum(['error', 'memory']).exactOptional(),
  timeoutMs: z.number().positive().exactOptional(),
});
