import { explainIpRule } from '@frontmcp/guard-core';
import { z } from 'zod';

type IpFilterShape = {
  readonly allowList: z.ZodOptional<z.ZodReadonly<z.ZodArray<z.ZodString>>>;
  readonly denyList: z.ZodOptional<z.ZodReadonly<z.ZodArray<z.ZodString>>>;
  readonly defaultAction: z.ZodDefault<z.ZodEnum<{ allow: 'allow'; deny: 'deny' }>>;
  readonly trustProxy: z.ZodDefault<z.ZodBoolean>;
  readonly trustedProxyDepth: z.ZodDefault<z.ZodNumber>;
};

/** An IP filter as it is configured, see `IpFilterConfig`. `IpFilter` itself checks the rules. Strict: an unknown key is an error. */
export const ipFilterConfigSchema: z.ZodObject<IpFilterShape, z.core.$strict> = z
  .strictObject({
    allowList: z.array(z.string()).readonly().optional(),
    denyList: z.array(z.string()).readonly().optional(),
    defaultAction: z.enum(['allow', 'deny']).default('allow'),
    trustProxy: z.boolean().default(false),
    trustedProxyDepth: z.number().int().positive().default(1),
  })
  .superRefine(explainRules, { when: ({ issues }) => issues.length > 0 });

/** Where `IpFilter` is not reached, its rules are explained here, so that all that is wrong is said at once. */
function explainRules(config: object, context: z.core.$RefinementCtx): void {
  for (const name of ['denyList', 'allowList'] as const) {
    const list: unknown = Reflect.get(config, name);
    if (!Array.isArray(list)) continue;
    list.forEach((rule: unknown, index) => {
      const message = typeof rule === 'string' ? explainIpRule(rule)?.reason : undefined;
      if (message === undefined) return;
      context.addIssue({ code: 'custom', path: [name, index], message, input: rule });
    });
  }
}

/** What {@link ipFilterConfigSchema} takes. */
export type IpFilterConfigInput = z.input<typeof ipFilterConfigSchema>;
