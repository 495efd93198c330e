import fc from 'fast-check';

import { acquireOperation } from '../src/operations/acquire.js';
import { cancelOperation } from '../src/operations/cancel.js';
import { inspectOperation } from '../src/operations/inspect.js';
import { pollOperation } from '../src/operations/poll.js';
import { releaseOperation } from '../src/operations/release.js';
import { renewOperation } from '../src/operations/renew.js';
import { resetOperation } from '../src/operations/reset.js';
import { FUTURE_MS, ProcessKey, RedisKeys, type AnyStep } from './twin.js';

// The same random history through both twins: TypeScript on a state, Lua on a hash.

const steps = {
  acquire: acquireOperation as AnyStep,
  release: releaseOperation as AnyStep,
  cancel: cancelOperation as AnyStep,
  renew: renewOperation as AnyStep,
  poll: pollOperation as AnyStep,
  inspect: inspectOperation as AnyStep,
  reset: resetOperation as AnyStep,
};

interface Step {
  readonly op: keyof typeof steps;
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
  {
    weight: 3,
    arbitrary: fc.constantFrom(1, 299, 300, 500, 999, 1_000, 1_001, 5_000, 10_000, 30_000),
  },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 1_200 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 70_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: -60_000, max: -1 }) },
);
const doing = (op: Step['op'], weight: number, args: fc.Arbitrary<unknown>) => ({
  weight,
  arbitrary: fc.record({ op: fc.constant(op), args, passMs }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  doing('acquire', 12, acquireArgs),
  doing('release', 5, fc.record({ id })),
  doing('cancel', 3, fc.record({ id })),
  doing('renew', 3, fc.record({ ids, leaseMs })),
  doing('poll', 4, fc.record({ ids, leaseMs })),
  doing('inspect', 2, fc.record({ list: fc.boolean() })),
  doing('reset', 1, fc.constant(undefined)),
);

let keys: RedisKeys;
beforeAll(async () => {
  keys = await RedisKeys.start();
});
afterAll(() => keys.stop());

test('whatever happens, both twins give the same results, messages, states and expiries', async () => {
  let stepCount = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 80, size: 'max' }),
      async (history) => {
        await keys.redis.call('FLUSHALL');
        const key = new ProcessKey();
        let nowMs = FUTURE_MS;
        for (const { op, args, passMs: ms } of history) {
          nowMs += ms;
          const expected = key.run(steps[op], args, nowMs);
          expect(await keys.run('k', steps[op], args, nowMs)).toEqual(expected);
          stepCount++;
        }
      },
    ),
    { numRuns: 120 },
  );
  expect(stepCount).toBeGreaterThan(3_000);
}, 60_000);
