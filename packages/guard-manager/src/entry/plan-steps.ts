import type { AtomicCall } from '@frontmcp/guard-core';
import {
  RateLimitError,
  type RateLimitPlan,
  type RateLimitResult,
} from '@frontmcp/guard-rate-limit';
import type { AcquirePlan } from '@frontmcp/guard-semaphore';

import type { Gate } from './admit.js';
import type { CallLimits, RateStep } from './call-limits.js';
import { withoutStack } from './without-stack.js';

/** All steps of a call, before they are sent. */
export interface Plans {
  readonly ratePlans: readonly RateLimitPlan[];
  readonly slotPlans: readonly AcquirePlan[];
  readonly calls: readonly AtomicCall[];
}

/** The steps of all limits of a call. @throws RateLimitError for one that is known to be denied. */
export function planAll(gate: Gate, { rates, slots }: CallLimits): Plans {
  const ratePlans = planRates(gate, rates);
  const slotPlans = slots.map(({ key, max, name }) => gate.semaphore.planAcquire(key, max, name));
  const calls = [...ratePlans.map(callOf), ...slotPlans.map(({ call }) => call)];
  return { ratePlans, slotPlans, calls };
}

/** The steps of the rate limits. @throws RateLimitError for one that is known to be denied. */
export function planRates(gate: Gate, rates: readonly RateStep[]): RateLimitPlan[] {
  return rates.map((step) => {
    const plan = gate.limiter.planCheck(step.key, step.max, step.windowMs);
    if (plan.known !== undefined) throw rateLimitError(step, plan.known);
    return plan;
  });
}

/** The step of a plan, to be sent. */
export function callOf({ call }: RateLimitPlan): AtomicCall {
  if (call === undefined) throw new TypeError('A storage with executeTogether must have execute');
  return call;
}

/** The refusal of a call by a rate limit. */
export function rateLimitError({ name, scope }: RateStep, result: RateLimitResult): RateLimitError {
  return withoutStack(() => new RateLimitError(name, result.retryAfterMs ?? 0, { scope, result }));
}
