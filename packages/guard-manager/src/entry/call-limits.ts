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

/** The limits that a call meets: the global ones, and its own or the defaults. A promise only when a key has to be hashed. */
export function callLimits(
  config: CallConfig,
  entity: string,
  own: OwnLimits,
  context: PartitionKeyContext | undefined,
): CallLimits | Promise<CallLimits> {
  const { global, globalConcurrency } = config;
  const rate = own.rateLimit ?? config.defaultRateLimit;
  const slot = own.concurrency ?? config.defaultConcurrency;
  const rates: (RateStep | Promise<RateStep>)[] = [];
  const slots: (SlotStep | Promise<SlotStep>)[] = [];
  if (global) rates.push(rateStep('global', GLOBAL_NAME, global, context));
  if (rate) rates.push(rateStep('entity', entity, rate, context));
  if (slot) slots.push(slotStep({ entity }, entity, slot, context));
  if (globalConcurrency) slots.push(slotStep('global', GLOBAL_NAME, globalConcurrency, context));
  return rates.every(isKnown) && slots.every(isKnown) ? { rates, slots } : settle(rates, slots);
}

// Promises are told by their `then`, here and wherever an answer may come at once: the global `Promise` may be another one than theirs.
function isKnown<T extends object>(step: T | Promise<T>): step is T {
  return !('then' in step);
}

async function settle(
  rates: readonly (RateStep | Promise<RateStep>)[],
  slots: readonly (SlotStep | Promise<SlotStep>)[],
): Promise<CallLimits> {
  return {
    rates: await Promise.all(rates.map((step) => Promise.resolve(step))),
    slots: await Promise.all(slots.map((step) => Promise.resolve(step))),
  };
}

/** One rate limit for one caller. */
export function rateStep(
  scope: 'global' | 'entity',
  name: string,
  config: RateLimitConfig,
  context: PartitionKeyContext | undefined,
): RateStep | Promise<RateStep> {
  const limitScope: LimitScope = scope === 'global' ? 'global' : { entity: name };
  const { maxRequests: max, windowMs = DEFAULT_WINDOW_MS } = config;
  const key = limitKey(limitScope, config.partitionBy, context);
  return typeof key === 'string'
    ? { scope, name, key, max, windowMs }
    : key.then((hashed) => ({ scope, name, key: hashed, max, windowMs }));
}

/** One concurrency limit for one caller. */
export function slotStep(
  scope: LimitScope,
  name: string,
  config: ConcurrencyConfig,
  context: PartitionKeyContext | undefined,
): SlotStep | Promise<SlotStep> {
  const { maxConcurrent: max, queueTimeoutMs = 0, maxQueue } = config;
  const key = limitKey(scope, config.partitionBy, context);
  const named = (known: string): SlotStep => ({
    scope: scope === 'global' ? 'global' : 'entity',
    name,
    key: known,
    max,
    queueTimeoutMs,
    maxQueue,
  });
  return typeof key === 'string' ? named(key) : key.then(named);
}
