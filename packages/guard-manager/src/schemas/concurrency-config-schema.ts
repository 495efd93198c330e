import { z } from 'zod';

import { partitionKeySchema } from './partition-key-schema.js';

type ConcurrencyShape = {
  readonly maxConcurrent: z.ZodNumber;
  readonly queueTimeoutMs: z.ZodDefault<z.ZodNumber>;
  readonly maxQueue: z.ZodOptional<z.ZodNumber>;
  readonly partitionBy: z.ZodDefault<typeof partitionKeySchema>;
};

/** A concurrency limit as it is configured, see `ConcurrencyConfig`. Strict: an unknown key is an error. */
export const concurrencyConfigSchema: z.ZodObject<ConcurrencyShape, z.core.$strict> =
  z.strictObject({
    maxConcurrent: z.number().int().positive(),
    queueTimeoutMs: z.number().int().nonnegative().default(0),
    maxQueue: z.number().int().nonnegative().optional(),
    partitionBy: partitionKeySchema.default('global'),
  });

/** What {@link concurrencyConfigSchema} takes. */
export type ConcurrencyConfigInput = z.input<typeof concurrencyConfigSchema>;
