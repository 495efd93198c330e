import { z } from 'zod';

type TimeoutShape = {
  readonly executeMs: z.ZodNumber;
};

/** A timeout as it is configured, see `TimeoutConfig`. Strict: an unknown key is an error. */
export const timeoutConfigSchema: z.ZodObject<TimeoutShape, z.core.$strict> = z.strictObject({
  executeMs: z.number().int().positive(),
});

/** What {@link timeoutConfigSchema} takes. */
export type TimeoutConfigInput = z.input<typeof timeoutConfigSchema>;
