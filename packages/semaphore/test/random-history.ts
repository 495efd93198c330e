import fc from 'fast-check';

import type { DecodedState } from './decode-hash.js';
import type { StepName } from './twin.js';

/** One step of a random history. */
export interface RandomStep {
  readonly op: StepName;
  readonly args: object | undefined;
  /** Which of the holders, or of the waiters, it is about; null for what `args` says. */
  readonly aim: number | null;
  /** How far the clock goes on, or back, before. */
  readonly passMs: number;
}

const id = fc.noBias(fc.nat(11)).map((n) => `p${n % 3}.${n}`);
const ids = fc.uniqueArray(id, { minLength: 1, maxLength: 6 });
const leaseMs = fc.constantFrom(300, 1_000, 1_001, 5_000, 30_000);
const acquireArgs = fc.record({
  id,
  max: fc.constantFrom(1, 1, 1, 2, 2, 3),
  leaseMs,
  waitMs: fc.constantFrom(0, 1, 500, 1_000, ...Array.from({ length: 6 }, () => Infinity)),
  maxQueue: fc.constantFrom(0, 1, 2, ...Array.from({ length: 7 }, () => Infinity)),
  isListening: fc.constantFrom(true, true, false),
});
const passMs = fc.oneof(
  { weight: 16, arbitrary: fc.constant(0) },
  { weight: 5, arbitrary: fc.constantFrom(1, 299, 300, 500, 999, 1_000, 1_001) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 1_200 }) },
  { weight: 1, arbitrary: fc.constantFrom(5_000, 10_000, 30_000) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 70_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: -60_000, max: -1 }) },
);
const aim = fc.option(fc.nat(7), { freq: 3 });

const step: fc.Arbitrary<RandomStep> = fc.oneof(
  doing('acquire', 18, acquireArgs),
  doing('release', 14, fc.record({ id })),
  doing('cancel', 3, fc.record({ id })),
  doing('renew', 3, fc.record({ ids, leaseMs })),
  doing('poll', 4, fc.record({ ids, leaseMs, isListening: fc.boolean() })),
  doing('inspect', 2, fc.record({ list: fc.boolean() })),
  doing('reset', 1, fc.constant(undefined)),
);

function doing(op: StepName, weight: number, args: fc.Arbitrary<object | undefined>) {
  return { weight, arbitrary: fc.record({ op: fc.constant(op), args, aim, passMs }) };
}

/** Steps of the processes `p0`, `p1` and `p2`, four tickets each, on one key. */
export const randomHistory: fc.Arbitrary<RandomStep[]> = fc.array(step, {
  minLength: 1,
  maxLength: 80,
  size: 'max',
});

/** What the step is about, once it is known who holds and who waits. */
export function aimed(
  { op, args, aim: nth }: RandomStep,
  state: DecodedState | undefined,
): unknown {
  const holders = Object.keys(state?.holders ?? {});
  const waiters = state?.waiters.map(({ id: waiter }) => waiter) ?? [];
  const targets = op === 'cancel' || op === 'poll' ? waiters : holders;
  const target = nth === null ? undefined : targets[nth % targets.length];
  if (target === undefined || op === 'acquire') return args;
  if (op === 'release' || op === 'cancel') return { id: target };
  if (op !== 'renew' && op !== 'poll') return args;
  const { ids: others } = args as { ids: string[] };
  return { ...args, ids: [...new Set([target, ...others])] };
}
