import { createMemoryStorage, type MemoryStorage } from '@frontmcp/guard-storage-adapters';

import { SlidingWindowRateLimiter } from './index.js';

const min = 60_000;

/** A store outside of the process, as far as a limiter can tell: it counts the steps that reach it. */
function remote(): { storage: MemoryStorage & { epoch: number }; steps: () => number } {
  const memory = createMemoryStorage();
  let steps = 0;
  const storage = new Proxy(memory, {
    get(target, property) {
      if (property === 'inProcess') return undefined;
      if (property === 'epoch') return epoch;
      const value: unknown = Reflect.get(target, property, target);
      if (property !== 'prepare')
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      return (...args: Parameters<MemoryStorage['prepare']>) => {
        const prepared = target.prepare(...args);
        return (...call: Parameters<typeof prepared>) => {
          steps++;
          return prepared(...call);
        };
      };
    },
    set(_target, _property, value: number) {
      epoch = value;
      return true;
    },
  });
  let epoch = 0;
  return { storage: storage as MemoryStorage & { epoch: number }, steps: () => steps };
}

async function exhausted(max = 5) {
  const { storage, steps } = remote();
  const limiter = new SlidingWindowRateLimiter(storage);
  for (let call = 0; call <= max; call++) await limiter.check('u', max, min);
  const before = steps();
  return { storage, limiter, asked: () => steps() - before };
}

describe('the memo of denied keys', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: 20_000 });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('a flood on a denied key asks the store nothing', async () => {
    const { limiter, asked } = await exhausted();
    const flood = await Promise.all(
      Array.from({ length: 1_000 }, () => limiter.check('u', 5, min)),
    );
    expect(flood.every(({ allowed }) => !allowed)).toBe(true);
    expect(asked()).toBe(0);
  });

  test('the answer is worked out anew as time goes on', async () => {
    const { limiter, asked } = await exhausted();
    const first = await limiter.check('u', 5, min);
    jest.advanceTimersByTime(400);
    const second = await limiter.check('u', 5, min);
    expect(asked()).toBe(0);
    expect(second.retryAfterMs).toBe((first.retryAfterMs as number) - 400);
    expect(second.resetMs).toBe(first.resetMs - 400);
  });

  test('after a second the store is asked again', async () => {
    const { limiter, asked } = await exhausted();
    jest.advanceTimersByTime(999);
    await limiter.check('u', 5, min);
    expect(asked()).toBe(0);
    jest.advanceTimersByTime(1);
    await limiter.check('u', 5, min);
    expect(asked()).toBe(1);
  });

  test('a denial that has run out is not held up by the memo', async () => {
    const { storage } = remote();
    const limiter = new SlidingWindowRateLimiter(storage);
    for (let call = 0; call < 6; call++) await limiter.check('u', 5, 100);
    const { retryAfterMs } = await limiter.check('u', 5, 100);
    jest.advanceTimersByTime((retryAfterMs as number) - 1);
    expect((await limiter.check('u', 5, 100)).allowed).toBe(false);
    jest.advanceTimersByTime(1);
    expect((await limiter.check('u', 5, 100)).allowed).toBe(true);
  });

  test('a cheaper call is let through, a dearer one is answered', async () => {
    const { storage, steps } = remote();
    const limiter = new SlidingWindowRateLimiter(storage);
    await limiter.check('u', 10, min, { cost: 8 });
    await limiter.check('u', 10, min, { cost: 5 });
    const before = steps();
    expect((await limiter.check('u', 10, min, { cost: 6 })).allowed).toBe(false);
    expect(steps()).toBe(before);
    expect((await limiter.check('u', 10, min, { cost: 2 })).allowed).toBe(true);
    expect(steps()).toBe(before + 1);
  });

  test('B-06 a cost over the limit is not remembered', async () => {
    const { storage, steps } = remote();
    const limiter = new SlidingWindowRateLimiter(storage);
    await limiter.check('u', 10, min, { cost: 11 });
    await limiter.check('u', 10, min, { cost: 11 });
    expect(steps()).toBe(2);
    expect((await limiter.check('u', 10, min)).allowed).toBe(true);
  });

  test('a changed limit asks again', async () => {
    const { limiter, asked } = await exhausted();
    expect((await limiter.check('u', 4, min)).allowed).toBe(false);
    expect(asked()).toBe(1);
    expect((await limiter.check('u', 6, min)).allowed).toBe(true);
    expect(asked()).toBe(2);
  });

  test('reset and refund clear it', async () => {
    const reset = await exhausted();
    await reset.limiter.reset('u', min);
    expect((await reset.limiter.check('u', 5, min)).allowed).toBe(true);

    const { storage } = remote();
    const limiter = new SlidingWindowRateLimiter(storage);
    const counted = await limiter.check('u', 1, min);
    await limiter.check('u', 1, min);
    await limiter.refund('u', counted);
    expect((await limiter.check('u', 1, min)).allowed).toBe(true);
  });

  test('a change of store clears it', async () => {
    const { storage, limiter, asked } = await exhausted();
    storage.epoch = 1;
    await limiter.check('u', 5, min);
    expect(asked()).toBe(1);
  });

  test('other keys and other windows are not answered by it', async () => {
    const { limiter, asked } = await exhausted();
    expect((await limiter.check('v', 5, min)).allowed).toBe(true);
    expect((await limiter.check('u', 5, 1_000)).allowed).toBe(true);
    expect(asked()).toBe(2);
  });

  test('it is bounded: the oldest denial is given up', async () => {
    const { storage, steps } = remote();
    const limiter = new SlidingWindowRateLimiter(storage);
    for (let key = 0; key <= 10_000; key++) {
      await limiter.check(`k${String(key)}`, 1, min);
      await limiter.check(`k${String(key)}`, 1, min);
    }
    const before = steps();
    await limiter.check('k10000', 1, min);
    expect(steps()).toBe(before);
    await limiter.check('k0', 1, min);
    expect(steps()).toBe(before + 1);
  });

  test('a plan knows a denial without asking', async () => {
    const { limiter } = await exhausted();
    expect(limiter.planCheck('u', 5, min).known).toMatchObject({ allowed: false });
    expect(limiter.planCheck('v', 5, min).known).toBeUndefined();
  });

  test('it can be switched off, and is off on a store in the process', async () => {
    const { storage, steps } = remote();
    const limiter = new SlidingWindowRateLimiter(storage, { rememberDenied: false });
    for (let call = 0; call < 5; call++) await limiter.check('u', 1, min);
    expect(steps()).toBe(5);

    const memory = createMemoryStorage();
    const local = new SlidingWindowRateLimiter(memory);
    await local.check('u', 1, min);
    await local.check('u', 1, min);
    await memory.delete('u:rl:60000');
    expect((await local.check('u', 1, min)).allowed).toBe(true);
  });
});
