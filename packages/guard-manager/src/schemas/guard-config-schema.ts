import { z } from 'zod';

import { DEFAULT_KEY_PREFIX } from '../guard-config.js';
import { concurrencyConfigSchema } from './concurrency-config-schema.js';
import { ipFilterConfigSchema } from './ip-filter-config-schema.js';
import { rateLimitConfigSchema } from './rate-limit-config-schema.js';
import { storageConfigSchema } from './storage-config-schema.js';
import { timeoutConfigSchema } from './timeout-config-schema.js';

type GuardShape = {
  readonly enabled: z.ZodBoolean;
  readonly storage: z.ZodOptional<typeof storageConfigSchema>;
  readonly keyPrefix: z.ZodDefault<z.ZodString>;
  readonly global: z.ZodOptional<typeof rateLimitConfigSchema>;
  readonly globalConcurrency: z.ZodOptional<typeof concurrencyConfigSchema>;
  readonly defaultRateLimit: z.ZodOptional<typeof rateLimitConfigSchema>;
  readonly defaultConcurrency: z.ZodOptional<typeof concurrencyConfigSchema>;
  readonly defaultTimeout: z.ZodOptional<typeof timeoutConfigSchema>;
  readonly ipFilter: z.ZodOptional<typeof ipFilterConfigSchema>;
};

/** The configuration of a guard manager, see `GuardConfig`. Strict: an unknown key is an error. */
export const guardConfigSchema: z.ZodObject<GuardShape, z.core.$strict> = z.strictObject({
  enabled: z.boolean(),
  storage: storageConfigSchema.optional(),
  keyPrefix: z
    .string()
    .refine((prefix) => prefix.isWellFormed(), { error: 'has a lone surrogate' })
    .default(DEFAULT_KEY_PREFIX),
  global: rateLimitConfigSchema.optional(),
  globalConcurrency: concurrencyConfigSchema.optional(),
  defaultRateLimit: rateLimitConfigSchema.optional(),
  defaultConcurrency: concurrencyConfigSchema.optional(),
  defaultTimeout: timeoutConfigSchema.optional(),
  ipFilter: ipFilterConfigSchema.optional(),
});

/** What {@link guardConfigSchema} takes. */
export type GuardConfigInput = z.input<typeof guardConfigSchema>;
