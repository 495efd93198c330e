import type { PartitionKeyContext } from '@frontmcp/guard-core';

import {
  DEFAULT_WINDOW_MS,
  type ConcurrencyConfig,
  type GuardConfig,
  type RateLimitConfig,
} from '../guard-config.js';
import { limitKey, type LimitScope } from '../limit-key.js';

/** A rate limit as it applies to one caller. */
export interface RateStep {
  readonly scope: 'global' | 'entity';
  readonly name: string;
  readonly key: string;
  readonly max: number;
  readonly windowMs: number;
}

/** A concurrency limit as it applies to one caller. */
export interface SlotStep {
  readonly scope: 'global' | 'entity';
  readonly name: string;
  readonly key: string;
  readonly max: number;
  readonly queueTimeoutMs: number;
  readonly maxQueue: number | undefined;
}

/** All limits of one call, in the order in which they are asked: global rate, entity rate; entity slot, global slot. */
export interface CallLimits {
  readonly rates: readonly RateStep[];
  readonly slots: readonly SlotStep[];
}

/** What a call brings of its own. `false` lifts the default. */
export interface OwnLimits {
  readonly rateLimit?: RateLimitConfig | false | undefined;
  readonly concurrency?: ConcurrencyConfig | false | undefined;
}

/** The part of a configuration that holds limits. */
export type CallConfig = Pick<
  GuardConfig,
  'global' | 'globalConcurrency' | 'defaultRateLimit' | 'defaultConcurrency'
>;

const GLOBAL_NAME = 'global';

/** The limits that a call meets: the global ones, and its own or the defaults. */
export async function callLimits(
  config: CallConfig,
  entity: string,
  own: OwnLimits,
  context: PartitionKeyContext | undefined,
): Promise<CallLimits> {
  const entityRate = own.rateLimit ?? config.defaultRateLimit;
  const entitySlots = own.concurrency ?? config.defaultConcurrency;
  const rates: RateStep[] = [];
  const slots: SlotStep[] = [];
  if (config.global) rates.push(await rateStep('global', GLOBAL_NAME, config.global, context));
  if (entityRate) rates.push(await rateStep('entity', entity, entityRate, context));
  if (entitySlots) slots.push(await slotStep({ entity }, entity, entitySlots, context));
  if (config.globalConcurrency) {
    slots.push(await slotStep('global', GLOBAL_NAME, config.globalConcurrency, context));
  }
  return { rates, slots };
}

/** One rate limit for one caller. */
export async function rateStep(
  scope: 'global' | 'entity',
  name: string,
  config: RateLimitConfig,
  context: PartitionKeyContext | undefined,
): Promise<RateStep> {
  const limitScope: LimitScope = scope === 'global' ? 'global' : { entity: name };
  const key = await limitKey(limitScope, config.partitionBy, context);
  const windowMs = config.windowMs ?? DEFAULT_WINDOW_MS;
  return { scope, name, key, max: config.maxRequests, windowMs };
}

/** One concurrency limit for one caller. */
export async function slotStep(
  scope: LimitScope,
  name: string,
  config: ConcurrencyConfig,
  context: PartitionKeyContext | undefined,
): Promise<SlotStep> {
  return {
    scope: scope === 'global' ? 'global' : 'entity',
    name,
    key: await limitKey(scope, config.partitionBy, context),
    max: config.maxConcurrent,
    queueTimeoutMs: config.queueTimeoutMs ?? 0,
    maxQueue: config.maxQueue,
  };
}
