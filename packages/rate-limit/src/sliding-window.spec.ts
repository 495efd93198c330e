import fc from 'fast-check';

import { slide, type WindowCounts } from './sliding-window.js';

const min = 60_000;

function at(counts: WindowCounts, nowMs: number, max = 10, cost = 1, windowMs = min) {
  return slide(counts, { max, windowMs, cost }, nowMs);
}

/** The counts after a call, as a store would keep them. */
function after(result: ReturnType<typeof slide>): WindowCounts {
  return {
    index: result.windowStartMs / result.windowMs,
    previous: result.previousCount,
    current: result.currentCount,
  };
}

describe('slide', () => {
  test('[RL-01] weighs the previous window by what a window ending now still covers', () => {
    const half = at({ index: 1, previous: 10, current: 0 }, 1.5 * min);
    expect(half).toMatchObject({ allowed: true, remaining: 4, previousCount: 10, currentCount: 1 });
    const late = at({ index: 1, previous: 10, current: 0 }, 2 * min - 1);
    expect(late).toMatchObject({ allowed: true, remaining: 9 });
  });

  test('[RL-04] begins windows at whole multiples of their length', () => {
    expect(at({ index: 0, previous: 0, current: 0 }, 61_234)).toMatchObject({
      windowStartMs: 60_000,
      resetMs: 58_766,
    });
  });

  test('B-14 a limit of one admits again as soon as the rounded-down share is none', () => {
    const full = { index: 0, previous: 0, current: 1 };
    expect(at(full, 10_000, 1, 1, 10_000)).toMatchObject({ allowed: false, retryAfterMs: 1 });
    expect(at(full, 10_001, 1, 1, 10_000).allowed).toBe(true);
  });

  test('B-15 a window before the previous one is worth nothing', () => {
    expect(at({ index: 0, previous: 0, current: 10 }, 120_000)).toMatchObject({
      allowed: true,
      remaining: 9,
      previousCount: 0,
    });
  });

  test('[RL-03] B-16 a burst at the end of a window leaves nothing for the start of the next', () => {
    const full = { index: 0, previous: 0, current: 10 };
    expect(at(full, 60_000)).toMatchObject({ allowed: false, retryAfterMs: 1 });
    const first = at(full, 60_001);
    expect(first.allowed).toBe(true);
    expect(at(after(first), 60_001)).toMatchObject({ allowed: false, retryAfterMs: 6_000 });
  });

  test('[RL-08] B-17 remaining counts what the same millisecond would still admit', () => {
    let counts: WindowCounts = { index: 1, previous: 5, current: 0 };
    const peeked = at(counts, min + 1, 10, 0);
    expect(peeked.remaining).toBe(6);
    const first = at(counts, min + 1);
    expect(first).toMatchObject({ allowed: true, remaining: 5 });
    counts = after(first);
    for (let call = 0; call < 5; call++) {
      const next = at(counts, min + 1);
      expect(next.allowed).toBe(true);
      counts = after(next);
    }
    expect(at(counts, min + 1).allowed).toBe(false);
  });

  test('B-21 retryAfterMs lies inside the window when the previous one only has to fade', () => {
    expect(at({ index: 1, previous: 10, current: 5 }, min + 20_000)).toMatchObject({
      allowed: false,
      retryAfterMs: 10_001,
    });
  });

  test('B-35 a window of 30 days counts and waits exactly', () => {
    const month = 30 * 24 * 3_600_000;
    const denied = at({ index: 5, previous: 0, current: 1 }, 5 * month + 1_000, 1, 1, month);
    expect(denied).toMatchObject({ allowed: false, retryAfterMs: month - 1_000 + 1 });
  });

  test('a clock that stepped back falls on the start of the counted window', () => {
    const counts = { index: 7, previous: 4, current: 6 };
    expect(at(counts, 6 * min + 59_999)).toMatchObject({
      allowed: false,
      windowStartMs: 7 * min,
      resetMs: min,
    });
  });

  test('is exact where the products reach 2^53', () => {
    const windowMs = 9_007_199;
    const max = 1_000_000_000;
    const counts = { index: 1, previous: max, current: 0 };
    const nowMs = 2 * windowMs - 1;
    const expected = (BigInt(max) * 1n) / BigInt(windowMs);
    const peeked = slide(counts, { max, windowMs, cost: 0 }, nowMs);
    expect(peeked.remaining).toBe(max - Number(expected));
  });

  test('[RL-10] B-24 waiting retryAfterMs admits, one millisecond less does not', () => {
    const states = fc.record({
      windowMs: fc.integer({ min: 1, max: 500 }),
      max: fc.integer({ min: 1, max: 30 }),
      cost: fc.integer({ min: 1, max: 30 }),
      previous: fc.nat(40),
      current: fc.nat(40),
      elapsed: fc.nat(499),
      index: fc.integer({ min: 1, max: 1_000 }),
    });
    fc.assert(
      fc.property(states, ({ windowMs, max, cost, previous, current, elapsed, index }) => {
        fc.pre(elapsed < windowMs && cost <= max);
        const counts = { index, previous, current };
        const nowMs = index * windowMs + elapsed;
        const request = { max, windowMs, cost };
        const { allowed, retryAfterMs } = slide(counts, request, nowMs);
        fc.pre(!allowed);
        const wait = retryAfterMs as number;
        expect(slide(counts, request, nowMs + wait).allowed).toBe(true);
        expect(slide(counts, request, nowMs + wait - 1).allowed).toBe(false);
      }),
      { numRuns: 20_000, seed: 1 },
    );
  });

  test('agrees with a count of the admitted calls, one by one, over random histories', () => {
    const steps = fc.array(fc.record({ wait: fc.nat(700), cost: fc.nat(4) }), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 8 }), (history, max) => {
        const windowMs = 1_000;
        const admitted: { index: number; cost: number }[] = [];
        let counts: WindowCounts | undefined;
        let nowMs = 0;
        for (const { wait, cost } of history) {
          nowMs += wait;
          const result = slide(counts, { max, windowMs, cost }, nowMs);
          const index = Math.floor(nowMs / windowMs);
          const sum = (of: number): number =>
            admitted
              .filter((call) => call.index === of)
              .reduce((total, call) => total + call.cost, 0);
          const left = BigInt(sum(index - 1)) * BigInt(windowMs - (nowMs % windowMs));
          const carried = Number(left / BigInt(windowMs));
          expect(result.allowed).toBe(carried + sum(index) + cost <= max);
          if (!result.allowed) continue;
          admitted.push({ index, cost });
          expect(result.remaining).toBe(Math.max(0, max - carried - sum(index)));
          counts = after(result);
        }
      }),
      { numRuns: 2_000, seed: 2 },
    );
  });
});
