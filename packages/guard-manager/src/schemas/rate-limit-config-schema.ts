import { z } from 'zod';

import { DEFAULT_WINDOW_MS } from '../guard-config.js';
import { partitionKeySchema } from './partition-key-schema.js';

type RateLimitShape = {
  readonly maxRequests: z.ZodNumber;
  readonly windowMs: z.ZodDefault<z.ZodNumber>;
  readonly partitionBy: z.ZodDefault<typeof partitionKeySchema>;
};

/** A rate limit as it is configured, see `RateLimitConfig`. Strict: an unknown key is an error. */
export const rateLimitConfigSchema: z.ZodObject<RateLimitShape, z.core.$strict> = z
  .strictObject({
    maxRequests: z.number().int().positive(),
    windowMs: z.number().int().positive().default(DEFAULT_WINDOW_MS),
    partitionBy: partitionKeySchema.default('global'),
  })
  .refine(({ maxRequests, windowMs }) => Number.isSafeInteger(maxRequests * windowMs), {
    error: 'maxRequests × windowMs must be under 2^53',
  });

/** What {@link rateLimitConfigSchema} takes. */
export type RateLimitConfigInput = z.input<typeof rateLimitConfigSchema>;
