import type { CustomPartitionKeyFn } from '@frontmcp/guard-core';
import { z } from 'zod';

type StrategySchema = z.ZodEnum<{
  ip: 'ip';
  session: 'session';
  userId: 'userId';
  global: 'global';
}>;
type FunctionSchema = z.ZodCustom<CustomPartitionKeyFn, CustomPartitionKeyFn>;

/** A strategy by name, or a function of the caller. */
export const partitionKeySchema: z.ZodUnion<[StrategySchema, FunctionSchema]> = z.union(
  [
    z.enum(['ip', 'session', 'userId', 'global']),
    z.custom<CustomPartitionKeyFn>((value) => typeof value === 'function'),
  ],
  { error: "must be 'ip', 'session', 'userId', 'global' or a function" },
);
