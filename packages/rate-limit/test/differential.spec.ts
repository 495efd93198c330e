import { createHash } from 'node:crypto';

import type { AtomicOperation } from '@frontmcp/guard-core';
import { startRedis, type RedisServer } from '@frontmcp/guard-services';
import fc from 'fast-check';

// eslint-disable-next-line @nx/enforce-module-boundaries -- what a script stands in when it runs is on no public surface
import * as compose from '../../storage-adapters/src/redis/compose-script.js';
import { consumeOperation } from '../src/consume-operation.js';
import { radixOf } from '../src/lua/packed-counts.js';
import { refundOperation } from '../src/refund-operation.js';
import type { WindowState } from '../src/window-state.js';

// The same random history through both twins: TypeScript on a state, Lua on a string.

/** A time that Redis, whose own clock is behind it, never takes for past: it expires no key by itself. */
const FUTURE_MS = Date.UTC(2100, 0, 1);
const KEY = 'k';

type Operation = AtomicOperation<WindowState, never, unknown>;

let server: RedisServer;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());

const setting = { serverClock: false, knowsReceivers: false };

function scriptOf(operation: Operation): string {
  return compose.composeStep(operation.script!.source, setting);
}

interface Form {
  readonly text: string;
  /** What stands before the arguments of the step. */
  before(count: number): readonly number[];
  /** The reply of the step. Absent: it is all of the reply. */
  only?(reply: unknown): unknown;
}

/** The forms in which a script runs a step. */
const forms: readonly ((source: string) => Form)[] = [
  (source: string) => ({ text: compose.composeStep(source, setting), before: () => [] }),
  (source: string) => ({
    text: compose.composeTogether([source], setting),
    before: (count: number) => [1, count],
    only: (reply: unknown) => (reply as [unknown])[0],
  }),
  (source: string) => ({
    text: compose.composeEach([source], setting),
    before: (count: number) => [1, 1, count],
    only: (reply: unknown) => (reply as [[unknown]])[0][0],
  }),
];

/** A key in Redis, and the same key as a store in the process would keep it. */
class Twins {
  #state: WindowState | undefined = undefined;
  #runs = 0;

  async run(operation: Operation, args: unknown, nowMs: number): Promise<void> {
    await this.#expire(nowMs);
    const decision = operation.decide(this.#state, args as never, nowMs);
    const expected = structuredClone(decision.result);
    if (decision.commit !== undefined) this.#state = decision.commit();
    const encoded = operation.script!.encode(args as never);
    const form: Form = forms[this.#runs++ % forms.length]!(operation.script!.source);
    const given = [...form.before(encoded.length), ...encoded, nowMs].map(String);
    const reply = await server.call('EVAL', form.text, '1', KEY, ...given);
    const result = form.only === undefined ? reply : form.only(reply);
    expect(operation.script!.decode(result, args as never)).toEqual(expected);
    expect(await server.call('PEXPIRETIME', KEY)).toBe(this.#state?.expiresAtMs ?? -2);
  }

  get state(): WindowState | undefined {
    return this.#state;
  }

  async #expire(nowMs: number): Promise<void> {
    if (this.#state === undefined || this.#state.expiresAtMs > nowMs) return;
    this.#state = undefined;
    await server.call('DEL', KEY);
  }
}

const windowMs = fc.constantFrom(1, 7, 500, 1_000, 60_000, 3_600_000, 30 * 86_400_000);
const count = fc.oneof(
  fc.integer({ min: 0, max: 12 }),
  fc.constantFrom(1_023, 1_024, 1_025, 8_191, 8_192, 70_000),
  fc.integer({ min: 0, max: 3_000_000 }),
);
const step = fc.record({
  isRefund: fc.boolean(),
  max: count,
  cost: count,
  behind: fc.constantFrom(0, 0, 1, 2, -1),
  /** In parts of a window. */
  pass: fc.oneof(
    fc.constant(0),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.constantFrom(1, 2, 3, -0.4, -1.5),
  ),
});

test('[RL-05] whatever happens, both twins give the same results, counts and expiries', async () => {
  let steps = 0;
  const history = fc.tuple(windowMs, fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }));
  await fc.assert(
    fc.asyncProperty(history, async ([window, taken]) => {
      await server.call('FLUSHALL');
      const twins = new Twins();
      let nowMs = FUTURE_MS;
      for (const { isRefund, max, cost, behind, pass } of taken) {
        nowMs += Math.round(pass * window);
        steps++;
        if (isRefund) {
          const index = Math.floor(nowMs / window) - behind;
          await twins.run(refundOperation, { index, windowMs: window, cost }, nowMs);
        } else {
          await twins.run(consumeOperation, { max, windowMs: window, cost }, nowMs);
        }
      }
    }),
    { numRuns: 150 },
  );
  expect(steps).toBeGreaterThan(2_000);
}, 60_000);

describe('the packed counts', () => {
  const taking = async (cost: number, window = 60_000): Promise<unknown> => {
    await server.call('FLUSHALL');
    await new Twins().run(consumeOperation, { max: 4_000_000, windowMs: window, cost }, FUTURE_MS);
    return server.call('OBJECT', 'ENCODING', KEY);
  };

  test('are an integer while the counts are under the radix, and text from there', async () => {
    expect(await taking(radixOf(60_000) - 1)).toBe('int');
    expect(await taking(radixOf(60_000))).toBe('embstr');
  });

  test.each([
    [1, 32],
    [1_000, 1_024],
    [60_000, 8_192],
    [3_600_000, 65_536],
  ])('have for windows of %d ms the radix %d', async (window, radix) => {
    expect(radixOf(window)).toBe(radix);
    expect(await taking(radix - 1, window)).toBe('int');
  });

  test.each(['not counts', '', 'nan', 'inf', '-5', '1.5', '1 2', '1 2 x'])(
    'are not %j, which is refused by Redis, and stays',
    async (value) => {
      await server.call('SET', KEY, value);
      const args = consumeOperation.script!.encode({ max: 1, windowMs: 1_000, cost: 1 });
      const script = scriptOf(consumeOperation);
      const call = server.call('EVAL', script, '1', KEY, ...args, String(FUTURE_MS));
      await expect(call).rejects.toThrow('WRONGTYPE');
      expect(await server.call('GET', KEY)).toBe(value);
    },
  );
});

test('the sources are what they were: a change is a decision, and splits limits during a rolling deploy', () => {
  const shas = [consumeOperation, refundOperation].map(({ script }) =>
    createHash('sha1').update(script!.source).digest('hex'),
  );
  expect(shas).toEqual([
    '5c9ed0afc5bfddaf38a669f7352735970d658186',
    'bebfdbac0c3d80e3d228cb4f085f1e6384bea769',
  ]);
});
