import { z } from 'zod';

type IpFilterShape = {
  readonly allowList: z.ZodOptional<z.ZodReadonly<z.ZodArray<z.ZodString>>>;
  readonly denyList: z.ZodOptional<z.ZodReadonly<z.ZodArray<z.ZodString>>>;
  readonly defaultAction: z.ZodDefault<z.ZodEnum<{ allow: 'allow'; deny: 'deny' }>>;
  readonly trustProxy: z.ZodDefault<z.ZodBoolean>;
  readonly trustedProxyDepth: z.ZodDefault<z.ZodNumber>;
};

/** An IP filter as it is configured, see `IpFilterConfig`. `IpFilter` itself checks the rules. Strict: an unknown key is an error. */
export const ipFilterConfigSchema: z.ZodObject<IpFilterShape, z.core.$strict> = z.strictObject({
  allowList: z.array(z.string()).readonly().optional(),
  denyList: z.array(z.string()).readonly().optional(),
  defaultAction: z.enum(['allow', 'deny']).default('allow'),
  trustProxy: z.boolean().default(false),
  trustedProxyDepth: z.number().int().positive().default(1),
});

/** What {@link ipFilterConfigSchema} takes. */
export type IpFilterConfigInput = z.input<typeof ipFilterConfigSchema>;
