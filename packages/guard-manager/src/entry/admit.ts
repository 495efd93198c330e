import {
  mayHaveHadEffect,
  onStoreInUse,
  type AtomicCall,
  type GuardLogger,
  type ImmediateStorage,
  type StorageAdapter,
} from '@frontmcp/guard-core';
import {
  RateLimitError,
  type RateLimitPlan,
  type RateLimitResult,
  type SlidingWindowRateLimiter,
} from '@frontmcp/guard-rate-limit';
import {
  ConcurrencyLimitError,
  QueueTimeoutError,
  type AcquirePlan,
  type DistributedSemaphore,
  type SemaphoreTicket,
} from '@frontmcp/guard-semaphore';

import type { CallLimits, RateStep, SlotStep } from './call-limits.js';
import type { Outage } from './outage.js';
import { callOf, planAll, planRates, rateLimitError } from './plan-steps.js';
import { untilAborted } from './until-aborted.js';
import { withoutStack } from './without-stack.js';

/** What admits calls. */
export interface Gate {
  readonly storage: Pick<StorageAdapter, 'executeTogether' | 'canMeet' | 'current'>;
  /** The part of `storage` that answers at once, where it has one. */
  readonly immediate: ImmediateStorage | undefined;
  readonly limiter: SlidingWindowRateLimiter;
  readonly semaphore: DistributedSemaphore;
  readonly logger: GuardLogger | undefined;
  readonly outage: Outage;
}

/** What an admitted call has taken. */
export interface Admission {
  /** In the order of {@link CallLimits.rates}. */
  readonly rates: readonly RateLimitResult[];
  readonly tickets: readonly SemaphoreTicket[];
}

/** The admission of a call that takes nothing. */
export const NOTHING: Admission = { rates: [], tickets: [] };

/**
 * Takes every limit of a call, or none: a refusal gives back what was taken before it.
 *
 * While nothing has to wait, all steps travel together and are committed only when all are admitted. When a slot is full
 * and its limit lets callers queue, the rates are counted first and the slots then taken one after another, the entity's
 * before the global one, so that nobody holds a global slot while waiting for an entity's. Where steps cannot travel together
 * because their keys live apart, they travel at once. A call without limits asks the storage nothing.
 *
 * @throws RateLimitError, ConcurrencyLimitError, QueueTimeoutError; the signal's reason; what the storage fails with.
 */
export function admit(
  gate: Gate,
  limits: CallLimits,
  signal: AbortSignal | undefined,
): Admission | Promise<Admission> {
  signal?.throwIfAborted();
  if (limits.rates.length + limits.slots.length === 0) return NOTHING;
  const admission = admitNow(gate, limits);
  if (admission !== undefined) return admission;
  const taking = (): Promise<Admission> => takeAll(gate, limits, signal);
  if (signal === undefined) return taking();
  return untilAborted(signal, taking, (late) => giveBack(gate, limits.rates, late));
}

/** What needs no promise: where the storage answers at once. Undefined when it does not, and when the call has to wait. */
function admitNow(gate: Gate, limits: CallLimits): Admission | undefined {
  const { immediate } = gate;
  if (immediate === undefined) return undefined;
  const only = onlyRate(limits);
  if (only !== undefined) {
    const result = gate.limiter.checkNow(only.key, only.max, only.windowMs);
    return result && { rates: [allowed(only, result)], tickets: [] };
  }
  const { ratePlans, slotPlans, calls } = planAll(gate, limits);
  return settleTogether(limits, ratePlans, slotPlans, immediate.executeTogether(calls));
}

/** Gives back what a call has taken. Never rejects: what the storage does not take back ends by itself. */
export async function giveBack(
  { limiter, logger }: Gate,
  rates: readonly RateStep[],
  taken: Admission,
): Promise<void> {
  const refunds = taken.rates.map(async (result, index) => {
    const { key, name } = rates[index] as RateStep;
    try {
      await limiter.refund(key, result);
    } catch (error) {
      logger?.warn(`Rate limit of "${name}" could not be given back`, error);
    }
  });
  await Promise.all([...refunds, ...taken.tickets.map((ticket) => ticket.release())]);
}

/**
 * One round trip for all. Undefined when the storage cannot, when there is one step only, and when a call has to wait.
 *
 * Sent to the very store in use, so that the tickets are known to be of that one.
 */
function admitTogether(gate: Gate, limits: CallLimits): Promise<Admission | undefined> {
  return onStoreInUse(gate.storage, async (store) => {
    const { rates, slots } = limits;
    if (store.executeTogether === undefined || rates.length + slots.length < 2) return undefined;
    const { ratePlans, slotPlans, calls } = planAll(gate, limits);
    if (!canTake(store, calls)) return undefined;
    try {
      const results = await store.executeTogether(calls);
      return settleTogether(limits, ratePlans, slotPlans, results);
    } catch (error) {
      if (mayHaveTaken(error)) for (const plan of slotPlans) plan.abandon();
      throw error;
    }
  });
}

/** A refusal is an answer: nothing was written. Any other failure leaves open what was, unless nothing was sent. */
function mayHaveTaken(error: unknown): boolean {
  const isRefusal = error instanceof RateLimitError || error instanceof ConcurrencyLimitError;
  return !isRefusal && mayHaveHadEffect(error);
}

function settleTogether(
  { rates, slots }: CallLimits,
  ratePlans: readonly RateLimitPlan[],
  slotPlans: readonly AcquirePlan[],
  results: readonly unknown[],
): Admission | undefined {
  const rateResults = ratePlans.map((plan, index) => plan.settle(results[index]));
  refuseDenied(rates, rateResults);
  const slotResults = results.slice(rates.length);
  const full = slots.filter(
    (_, index) => slotPlans[index]?.isAdmitted(slotResults[index]) !== true,
  );
  refuseUnlessWaiting(full);
  if (full.length > 0) return undefined;
  const tickets = slotPlans.map(
    (plan, index) => plan.settle(slotResults[index]) as SemaphoreTicket,
  );
  return { rates: rateResults, tickets };
}

/**
 * The time of one round trip for all, on a storage whose keys live apart: every step is taken where its key lives, and what a
 * refusal leaves is given back. So somebody else may be refused for a moment by what is given back, and nobody is let in by
 * it. Undefined when the storage is of another kind, and when a call has to wait; nothing is held then.
 */
async function admitAtOnce(gate: Gate, limits: CallLimits): Promise<Admission | undefined> {
  const { rates, slots } = limits;
  if (gate.storage.canMeet === undefined || slots.length === 0) return undefined;
  if (rates.length + slots.length < 2) return undefined;
  const [counting, ...trying] = await Promise.allSettled([
    countRates(gate, rates),
    ...slots.map(({ key, max, name }) => gate.semaphore.tryAcquire(key, max, { name })),
  ] as const);
  const counted = counting.status === 'fulfilled' ? counting.value : [];
  const tickets = trying.flatMap((tried) =>
    tried.status === 'fulfilled' && tried.value.acquired ? [tried.value.ticket] : [],
  );
  if (counting.status === 'fulfilled' && tickets.length === slots.length) {
    return { rates: counted, tickets };
  }
  await giveBack(gate, rates, { rates: counted, tickets });
  for (const outcome of [counting, ...trying]) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
  const full = slots.filter((_, index) => {
    const tried = trying[index];
    return tried?.status === 'fulfilled' && !tried.value.acquired;
  });
  refuseUnlessWaiting(full);
  return undefined;
}

/** @throws ConcurrencyLimitError for a full slot that callers may not wait for. */
function refuseUnlessWaiting(full: readonly SlotStep[]): void {
  for (const { queueTimeoutMs, name, max, scope } of full) {
    if (queueTimeoutMs > 0) continue;
    throw withoutStack(() => new ConcurrencyLimitError(name, max, { scope }));
  }
}

async function admitInTurn(
  gate: Gate,
  { rates, slots }: CallLimits,
  signal: AbortSignal | undefined,
): Promise<Admission> {
  const counted = await countRates(gate, rates);
  const tickets: SemaphoreTicket[] = [];
  try {
    for (const slot of slots) tickets.push(await takeSlot(gate, slot, signal));
    return { rates: counted, tickets };
  } catch (error) {
    await giveBack(gate, rates, { rates: counted, tickets });
    throw error;
  }
}

/** The one limit that most calls meet, a rate; undefined for a call that meets others. */
function onlyRate({ rates, slots }: CallLimits): RateStep | undefined {
  return rates.length === 1 && slots.length === 0 ? rates[0] : undefined;
}

/** Counts a call against the one limit that it meets. */
async function countOne({ limiter }: Gate, step: RateStep): Promise<Admission> {
  const result = await limiter.check(step.key, step.max, step.windowMs);
  return { rates: [allowed(step, result)], tickets: [] };
}

function allowed(step: RateStep, result: RateLimitResult): RateLimitResult {
  if (!result.allowed) throw rateLimitError(step, result);
  return result;
}

async function takeAll(
  gate: Gate,
  limits: CallLimits,
  signal: AbortSignal | undefined,
): Promise<Admission> {
  const only = onlyRate(limits);
  if (only !== undefined) return countOne(gate, only);
  return (
    (await admitTogether(gate, limits)) ??
    (await admitAtOnce(gate, limits)) ??
    admitInTurn(gate, limits, signal)
  );
}

/** Counts a call against all rates or none. */
async function countRates(gate: Gate, rates: readonly RateStep[]): Promise<RateLimitResult[]> {
  const together = await countTogether(gate, rates);
  if (together !== undefined) return together;
  const outcomes = await Promise.allSettled(
    rates.map(({ key, max, windowMs }) => gate.limiter.check(key, max, windowMs)),
  );
  const results = outcomes.flatMap((outcome) =>
    outcome.status === 'fulfilled' ? [outcome.value] : [],
  );
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed === undefined && results.every(({ allowed }) => allowed)) return results;
  const counted = rates.filter((_, index) => outcomes[index]?.status === 'fulfilled');
  await giveBack(gate, counted, { rates: results, tickets: [] });
  if (failed !== undefined) throw failed.reason;
  refuseDenied(rates, results);
  return results;
}

/** One round trip for all rates. Undefined when the storage cannot. */
async function countTogether(
  gate: Gate,
  rates: readonly RateStep[],
): Promise<RateLimitResult[] | undefined> {
  const { storage } = gate;
  if (storage.executeTogether === undefined || rates.length < 2) return undefined;
  const plans = planRates(gate, rates);
  const calls = plans.map(callOf);
  if (!canTake(storage, calls)) return undefined;
  const results = await storage.executeTogether(calls);
  const settled = plans.map((plan, index) => plan.settle(results[index]));
  refuseDenied(rates, settled);
  return settled;
}

/** Whether the keys of steps are such that the storage can take them together. */
function canTake({ canMeet }: Gate['storage'], calls: readonly AtomicCall[]): boolean {
  return canMeet === undefined || canMeet(calls.map(({ key }) => key));
}

function refuseDenied(rates: readonly RateStep[], results: readonly RateLimitResult[]): void {
  results.forEach((result, index) => {
    if (!result.allowed) throw rateLimitError(rates[index] as RateStep, result);
  });
}

async function takeSlot(
  { semaphore }: Gate,
  { scope, key, max, name, queueTimeoutMs, maxQueue }: SlotStep,
  signal: AbortSignal | undefined,
): Promise<SemaphoreTicket> {
  const outcome = await semaphore.tryAcquire(key, max, {
    name,
    queueTimeoutMs,
    ...(maxQueue === undefined ? {} : { maxQueue }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (outcome.acquired) return outcome.ticket;
  if (outcome.reason === 'timeout') throw new QueueTimeoutError(name, queueTimeoutMs, { scope });
  throw withoutStack(() => new ConcurrencyLimitError(name, max, { scope }));
}
