import fc from 'fast-check';

import type { StepName } from './twin.js';

/** One step of a random history. */
export interface RandomStep {
  readonly op: StepName;
  readonly args: unknown;
  /** How far the clock goes on, or back, before. */
  readonly passMs: number;
}

const id = fc.integer({ min: 0, max: 11 }).map((n) => `p${n % 3}.${n}`);
const ids = fc.uniqueArray(id, { minLength: 1, maxLength: 6 });
const leaseMs = fc.constantFrom(300, 1_000, 1_001, 5_000, 30_000);
const acquireArgs = fc.record({
  id,
  max: fc.constantFrom(1, 1, 2, 3, 4),
  leaseMs,
  waitMs: fc.constantFrom(0, 1, 500, 1_000, 5_000, Infinity, Infinity),
  maxQueue: fc.constantFrom(0, 1, 2, 5, Infinity, Infinity, Infinity),
  isListening: fc.boolean(),
});
const passMs = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.constantFrom(1, 299, 300, 500, 999, 1_000, 1_001, 5_000, 30_000) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 1_200 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 70_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: -60_000, max: -1 }) },
);

const step: fc.Arbitrary<RandomStep> = fc.oneof(
  doing('acquire', 12, acquireArgs),
  doing('release', 5, fc.record({ id })),
  doing('cancel', 3, fc.record({ id })),
  doing('renew', 3, fc.record({ ids, leaseMs })),
  doing('poll', 4, fc.record({ ids, leaseMs })),
  doing('inspect', 2, fc.record({ list: fc.boolean() })),
  doing('reset', 1, fc.constant(undefined)),
);

function doing(op: StepName, weight: number, args: fc.Arbitrary<unknown>) {
  return { weight, arbitrary: fc.record({ op: fc.constant(op), args, passMs }) };
}

/** Steps of the processes `p0`, `p1` and `p2`, four tickets each, on one key. */
export const randomHistory: fc.Arbitrary<RandomStep[]> = fc.array(step, {
  minLength: 1,
  maxLength: 80,
  size: 'max',
});
