import type { StorageConfig } from '@frontmcp/guard-storage-adapters';
import { z } from 'zod';

const clientOptions = z.record(z.string(), z.unknown());
const anObject = z.custom<object>((value) => typeof value === 'object' && value !== null, {
  error: 'must be an object',
});

const schema = z.strictObject({
  type: z.enum(['auto', 'memory', 'redis', 'upstash', 'vercel-kv', 'cloudflare-kv']).optional(),
  redis: z
    .strictObject({
      url: z.string().optional(),
      config: clientOptions.optional(),
      client: anObject.optional(),
      cluster: clientOptions.optional(),
      sentinel: clientOptions.optional(),
    })
    .optional(),
  upstash: z
    .strictObject({
      url: z.string().optional(),
      token: z.string().optional(),
      enablePubSub: z.boolean().optional(),
    })
    .optional(),
  vercelKv: z.strictObject({ url: z.string().optional(), token: z.string().optional() }).optional(),
  cloudflareKv: z.strictObject({ namespace: anObject }).optional(),
  memory: z.strictObject({ maxEntries: z.number().int().positive().optional() }).optional(),
  fallback: z.enum(['error', 'memory']).optional(),
  timeoutMs: z.number().positive().optional(),
});

/**
 * Where the counters are kept, see `StorageConfig`. Strict down to the options of a client library, which are the library's
 * own.
 *
 * Unlike the type, it lets a field be there and undefined: to refuse that takes zod 4.3.
 */
export const storageConfigSchema: z.ZodType<StorageConfig, StorageConfig> =
  schema as unknown as z.ZodType<StorageConfig, StorageConfig>;
