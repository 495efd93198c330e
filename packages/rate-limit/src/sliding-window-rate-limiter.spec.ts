import { GuardStorageUnavailableError, type StorageAdapter } from '@frontmcp/guard-core';
import {
  createMemoryStorage,
  withFallback,
  type MemoryStorage,
} from '@frontmcp/guard-storage-adapters';
import { plainOnly } from '@frontmcp/guard-storage-conformance';

import { limiterOn, paths } from '../test/paths.js';
import { SlidingWindowRateLimiter, type RateLimitResult } from './index.js';

const min = 60_000;

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
  jest.useRealTimers();
});

describe.each(paths)('SlidingWindowRateLimiter on the $path path', ({ open }) => {
  test('[RL-05] [RL-06] [RL-07] [RL-08] B-13 admits as many as the limit says, and no more', async () => {
    const limiter = limiterOn(open());
    expect(await limiter.check('u', 2, min)).toMatchObject({ allowed: true, remaining: 1 });
    expect(await limiter.check('u', 2, min)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await limiter.check('u', 2, min)).toMatchObject({ allowed: false, remaining: 0 });
  });

  test('[RL-09] resetMs runs to the end of the window', async () => {
    jest.setSystemTime(61_000);
    expect(await limiterOn(open()).check('u', 2, min)).toMatchObject({ resetMs: 59_000 });
  });

  test('[RL-10] waiting as told succeeds, a millisecond earlier does not', async () => {
    const limiter = limiterOn(open());
    jest.setSystemTime(45_678);
    for (let call = 0; call < 7; call++) await limiter.check('u', 7, min);
    const { retryAfterMs } = await limiter.check('u', 7, min);
    jest.setSystemTime(45_678 + (retryAfterMs as number) - 1);
    expect((await limiter.check('u', 7, min)).allowed).toBe(false);
    jest.setSystemTime(45_678 + (retryAfterMs as number));
    expect((await limiter.check('u', 7, min)).allowed).toBe(true);
  });

  test('B-01 a thousand concurrent checks against a limit of 100 admit exactly 100', async () => {
    const limiter = limiterOn(open());
    const checks = Array.from({ length: 1_000 }, () => limiter.check('u', 100, min));
    const admitted = (await Promise.all(checks)).filter(({ allowed }) => allowed);
    expect(admitted).toHaveLength(100);
    expect(await limiter.peek('u', 100, min)).toMatchObject({ currentCount: 100 });
  });

  test('B-04 a client that never stops asking is admitted as its window fades', async () => {
    const limiter = limiterOn(open());
    for (let call = 0; call < 10; call++) await limiter.check('u', 10, min);
    const admittedAt: number[] = [];
    for (let nowMs = 100; nowMs < 120_000; nowMs += 100) {
      jest.setSystemTime(nowMs);
      if ((await limiter.check('u', 10, min)).allowed) admittedAt.push(nowMs);
    }
    expect(admittedAt[0]).toBe(60_100);
    expect(admittedAt).toHaveLength(10);
  });

  test('B-05 a denied weighted call spends nothing', async () => {
    const limiter = limiterOn(open());
    expect(await limiter.check('u', 10, min, { cost: 8 })).toMatchObject({ remaining: 2 });
    expect(await limiter.check('u', 10, min, { cost: 5 })).toMatchObject({
      allowed: false,
      remaining: 2,
      retryAfterMs: 75_001,
    });
    expect(await limiter.check('u', 10, min)).toMatchObject({ allowed: true, remaining: 1 });
    expect(await limiter.peek('u', 10, min)).toMatchObject({ currentCount: 9 });
  });

  test('B-06 a cost over the limit can never be admitted and hinders nobody', async () => {
    const limiter = limiterOn(open());
    expect(await limiter.check('u', 10, min, { cost: 11 })).toMatchObject({
      allowed: false,
      reason: 'cost-exceeds-limit',
      retryAfterMs: Infinity,
      remaining: 10,
    });
    expect(await limiter.check('u', 10, min)).toMatchObject({ allowed: true, remaining: 9 });
  });

  test('B-10 a call that costs nothing looks, and writes nothing', async () => {
    const storage = open();
    const limiter = limiterOn(storage);
    expect(await limiter.check('u', 2, min, { cost: 0 })).toMatchObject({
      allowed: true,
      remaining: 2,
    });
    expect(await storage.keys()).toEqual([]);
    await limiter.check('u', 2, min);
    const [key] = await storage.keys();
    const before = await storage.ttl(key as string);
    jest.setSystemTime(30_000);
    await limiter.peek('u', 2, min);
    expect(await storage.ttl(key as string)).toBe((before as number) - 30);
  });

  test('B-11 a limit of 0 denies all and writes nothing', async () => {
    const storage = open();
    expect(await limiterOn(storage).check('u', 0, min)).toMatchObject({
      allowed: false,
      remaining: 0,
      retryAfterMs: Infinity,
    });
    expect(await limiterOn(storage).check('u', 0, min, { cost: 0 })).toMatchObject({
      allowed: false,
    });
    expect(await storage.keys()).toEqual([]);
  });

  test.each([
    ['cost', -1, [10, min, { cost: -1 }]],
    ['cost', NaN, [10, min, { cost: NaN }]],
    ['cost', Infinity, [10, min, { cost: Infinity }]],
    ['cost', 1.5, [10, min, { cost: 1.5 }]],
    ['maxRequests', -1, [-1, min]],
    ['maxRequests', NaN, [NaN, min]],
    ['maxRequests', 2.5, [2.5, min]],
    ['maxRequests', Infinity, [Infinity, min]],
    ['windowMs', 0, [10, 0]],
    ['windowMs', -1, [10, -1]],
    ['windowMs', NaN, [10, NaN]],
    ['windowMs', 1.5, [10, 1.5]],
    ['windowMs', Infinity, [10, Infinity]],
  ] as const)('B-09 B-12 %s of %p is a RangeError that names both', async (name, value, args) => {
    const storage = open();
    const check = limiterOn(storage).check('u', ...(args as unknown as [number, number]));
    await expect(check).rejects.toThrow(RangeError);
    await expect(check).rejects.toThrow(new RegExp(`${name} .*${String(value)}$`));
    expect(await storage.keys()).toEqual([]);
  });

  test('a number given as text is a TypeError that names it', async () => {
    const check = limiterOn(open()).check('u', '10' as unknown as number, min);
    await expect(check).rejects.toThrow(new TypeError('maxRequests must be a number, got string'));
  });

  test('a product of limit and window over 2^53 is a RangeError', async () => {
    const check = limiterOn(open()).check('u', 2 ** 40, 2 ** 14);
    await expect(check).rejects.toThrow('maxRequests × windowMs must be under 2^53');
  });

  test('a bad window is refused by reset', async () => {
    await expect(limiterOn(open()).reset('u', 0)).rejects.toThrow('windowMs must be a positive');
  });

  test('[RL-08] B-18 remaining never falls under 0', async () => {
    const limiter = limiterOn(open());
    for (let call = 0; call < 10; call++) await limiter.check('u', 10, min);
    expect((await limiter.check('u', 10, min)).remaining).toBe(0);
    expect((await limiter.check('u', 3, min)).remaining).toBe(0);
  });

  test('[RL-02] B-30 B-32 B-33 keys of one limit: a few at most, each with an expiry', async () => {
    const storage = open();
    const limiter = limiterOn(storage);
    for (let nowMs = 0; nowMs < 5_000; nowMs += 50) {
      jest.setSystemTime(nowMs);
      await limiter.check('u', 2, 500);
      const keys = await storage.keys();
      expect(keys.length).toBeLessThanOrEqual(5);
      for (const key of keys) expect(await storage.ttl(key)).toBeGreaterThan(0);
    }
  });

  test('B-33 a window under a second admits again when it has passed', async () => {
    const limiter = limiterOn(open());
    expect((await limiter.check('u', 2, 500)).allowed).toBe(true);
    expect((await limiter.check('u', 2, 500)).allowed).toBe(true);
    expect((await limiter.check('u', 2, 500)).allowed).toBe(false);
    jest.setSystemTime(1_000);
    expect((await limiter.check('u', 2, 500)).allowed).toBe(true);
  });

  test('[RL-11] reset deletes the counts of one window length', async () => {
    const storage = open();
    const limiter = limiterOn(storage);
    jest.setSystemTime(59_999);
    await limiter.check('u', 1, min);
    jest.setSystemTime(60_000);
    await limiter.check('u', 1, 1_000);
    await limiter.reset('u', min);
    expect((await limiter.check('u', 1, min)).allowed).toBe(true);
    expect((await limiter.check('u', 1, 1_000)).allowed).toBe(false);
  });

  test('refund takes back what was counted, in the window it was counted in', async () => {
    const limiter = limiterOn(open());
    const counted = await limiter.check('u', 10, min, { cost: 7 });
    expect(await limiter.refund('u', counted)).toBe(7);
    expect(await limiter.peek('u', 10, min)).toMatchObject({ currentCount: 0, remaining: 10 });

    const late = await limiter.check('u', 10, min, { cost: 6 });
    jest.setSystemTime(60_000);
    await limiter.check('u', 10, min, { cost: 2 });
    expect(await limiter.refund('u', late)).toBe(6);
    expect(await limiter.peek('u', 10, min)).toMatchObject({ previousCount: 0, currentCount: 2 });
  });

  test('refund takes a part back, once, and leaves the rest counted', async () => {
    const limiter = limiterOn(open());
    const reserved = await limiter.check('u', 10, min, { cost: 7 });
    expect(await limiter.refund('u', reserved, { cost: 0 })).toBe(0);
    expect(await limiter.refund('u', reserved, { cost: 4 })).toBe(4);
    expect(await limiter.peek('u', 10, min)).toMatchObject({ currentCount: 3, remaining: 7 });
    expect(await limiter.refund('u', reserved)).toBe(0);
    expect(await limiter.peek('u', 10, min)).toMatchObject({ currentCount: 3 });
  });

  test.each([
    [8, new RangeError('cost of a refund must be at most what was counted, 7, got 8')],
    [-1, new RangeError('cost must be a non-negative integer, got -1')],
    [1.5, new RangeError('cost must be a non-negative integer, got 1.5')],
    ['7', new TypeError('cost must be a number, got string')],
  ])('refuses to take %j of 7 back, and nothing changes', async (cost, error) => {
    const limiter = limiterOn(open());
    const counted = await limiter.check('u', 10, min, { cost: 7 });
    await expect(limiter.refund('u', counted, { cost: cost as number })).rejects.toThrow(error);
    expect(await limiter.refund('u', counted)).toBe(7);
  });

  test('an option that nobody reads is an error, and nothing is counted or taken back', async () => {
    const limiter = limiterOn(open());
    const misspelt = { costs: 5 } as never;
    const unknown = (call: string) =>
      new TypeError(`Unknown option "costs" of ${call}, which takes cost`);
    await expect(limiter.check('u', 10, min, misspelt)).rejects.toThrow(unknown('check'));
    expect(() => limiter.planCheck('u', 10, min, misspelt)).toThrow(unknown('check'));
    const counted = await limiter.check('u', 10, min, { cost: 2 });
    await expect(limiter.refund('u', counted, misspelt)).rejects.toThrow(unknown('refund'));
    expect(await limiter.peek('u', 10, min)).toMatchObject({ currentCount: 2 });
    expect(() => new SlidingWindowRateLimiter(open(), { remember: false } as never)).toThrow(
      'Unknown option "remember" of SlidingWindowRateLimiter, which takes rememberDenied',
    );
  });

  test('refund goes not under 0, and not into a window that no longer matters', async () => {
    const storage = open();
    const limiter = limiterOn(storage);
    const counted = await limiter.check('u', 10, min, { cost: 3 });
    const twin = { ...counted };
    expect(await limiter.refund('u', counted)).toBe(3);
    expect(await limiter.refund('u', twin)).toBe(0);
    expect(await limiter.peek('u', 10, min)).toMatchObject({ currentCount: 0 });
    jest.setSystemTime(120_000);
    expect(await limiter.refund('u', { ...counted })).toBe(0);
    expect(await storage.keys()).toEqual([]);
  });

  test('one receipt is taken back once, also at the same time', async () => {
    const limiter = limiterOn(open());
    const counted = await limiter.check('u', 10, min, { cost: 2 });
    await limiter.check('u', 10, min, { cost: 4 });
    const refunds = await Promise.all([limiter.refund('u', counted), limiter.refund('u', counted)]);
    expect(refunds).toEqual([2, 0]);
    expect(await limiter.refund('u', counted)).toBe(0);
    expect(await limiter.peek('u', 10, min)).toMatchObject({ currentCount: 4 });
  });

  test('a refund after a reset leaves no count under 0', async () => {
    const storage = open();
    const limiter = limiterOn(storage);
    const counted = await limiter.check('u', 5, min, { cost: 5 });
    await limiter.reset('u', min);
    await limiter.check('u', 5, min, { cost: 2 });
    expect(await limiter.refund('u', counted)).toBe(2);
    expect(await limiter.peek('u', 5, min)).toMatchObject({ currentCount: 0 });
  });

  test.each([
    undefined,
    null,
    'text',
    {},
    { allowed: true, cost: NaN, windowMs: 1, windowStartMs: 0 },
    { allowed: true, cost: -5, windowMs: 1, windowStartMs: 0 },
    { allowed: true, cost: 1, windowMs: 0, windowStartMs: 0 },
    { allowed: true, cost: 1, windowMs: 7, windowStartMs: 3 },
  ])('%j is no receipt: a TypeError, and nothing changes', async (receipt) => {
    const limiter = limiterOn(open());
    await limiter.check('u', 5, min);
    await expect(limiter.refund('u', receipt as never)).rejects.toThrow(
      new TypeError('refund takes what check answered, and got something else'),
    );
    expect(await limiter.peek('u', 5, min)).toMatchObject({ currentCount: 1 });
  });

  test('a bigint is a TypeError that names it, and so is a key that is no string', async () => {
    const limiter = limiterOn(open());
    await expect(limiter.check('u', 5n as never, min)).rejects.toThrow(
      new TypeError('maxRequests must be a number, got bigint'),
    );
    for (const key of [{ a: 1 }, 7, undefined]) {
      await expect(limiter.check(key as never, 5, min)).rejects.toThrow(
        'Storage key must be a string',
      );
      await expect(limiter.reset(key as never, min)).rejects.toThrow(
        'Storage key must be a string',
      );
    }
  });

  test('refund leaves the counts of later windows alone', async () => {
    const limiter = limiterOn(open());
    const counted = await limiter.check('u', 10, min, { cost: 3 });
    jest.setSystemTime(60_000);
    await limiter.check('u', 10, min, { cost: 2 });
    jest.setSystemTime(120_000);
    await limiter.check('u', 10, min, { cost: 4 });
    expect(await limiter.refund('u', counted)).toBe(0);
    expect(await limiter.peek('u', 10, min)).toMatchObject({ previousCount: 2, currentCount: 4 });
  });

  test('refund of a denial takes nothing back', async () => {
    const limiter = limiterOn(open());
    await limiter.check('u', 1, min);
    const denied = await limiter.check('u', 1, min);
    expect(await limiter.refund('u', denied)).toBe(0);
    expect(await limiter.peek('u', 1, min)).toMatchObject({ currentCount: 1 });
  });

  test('two windows on one key are two limits', async () => {
    const limiter = limiterOn(open());
    await limiter.check('u', 1, min);
    expect((await limiter.check('u', 1, 1_000)).allowed).toBe(true);
    expect((await limiter.check('u', 1, min)).allowed).toBe(false);
  });

  test('a raised limit admits at once, a lowered one denies at once', async () => {
    const limiter = limiterOn(open());
    for (let call = 0; call < 5; call++) await limiter.check('u', 5, min);
    expect((await limiter.check('u', 6, min)).allowed).toBe(true);
    expect((await limiter.check('u', 3, min)).allowed).toBe(false);
  });

  test.each(['', ':', '{}', '{', 'a}b', '__proto__', 'constructor', '*', 'x'.repeat(1_000_000)])(
    'B-40 any well-formed key counts on its own (%#)',
    async (key) => {
      const limiter = limiterOn(open());
      await limiter.check('other', 1, min);
      expect((await limiter.check(key, 1, min)).allowed).toBe(true);
      expect((await limiter.check(key, 1, min)).allowed).toBe(false);
    },
  );

  test.each(['\uD800', 'a\uDC00b'])('an ill-formed key is a TypeError (%#)', async (key) => {
    const storage = open();
    await expect(limiterOn(storage).check(key, 1, min)).rejects.toThrow(TypeError);
    expect(await storage.keys()).toEqual([]);
  });
});

describe('SlidingWindowRateLimiter on memory', () => {
  test('more window lengths than are bound count all the same', async () => {
    const storage = createMemoryStorage();
    const prepare = jest.spyOn(storage.immediate, 'prepare');
    const limiter = limiterOn(storage);
    const windows = Array.from({ length: 200 }, (_, index) => 1_000 + index);
    for (const windowMs of windows) {
      expect((await limiter.check('u', 1, windowMs)).allowed).toBe(true);
    }
    for (const windowMs of windows) {
      expect((await limiter.check('u', 1, windowMs)).allowed).toBe(false);
    }
    expect(prepare).toHaveBeenCalledTimes(64);
  });

  test('answers at once where it is asked to, and counts the same calls', async () => {
    const limiter = limiterOn(createMemoryStorage());
    expect(limiter.checkNow('u', 2, min)).toMatchObject({ allowed: true, remaining: 1 });
    expect(await limiter.check('u', 2, min)).toMatchObject({ allowed: true, remaining: 0 });
    expect(limiter.checkNow('u', 2, min)).toMatchObject({ allowed: false, currentCount: 2 });
    expect(limiter.checkNow('u', 2, min, { cost: 0 })).toMatchObject({ cost: 0 });
    expect(() => limiter.checkNow('u', 1.5, min)).toThrow(RangeError);
    expect(() => limiter.checkNow('\uD800', 1, min)).toThrow(TypeError);
  });

  test('answers nothing at once, and counts nothing, on a storage that does not', async () => {
    const storage = createMemoryStorage();
    for (const store of [plainOnly(storage), withFallback(storage, { fallback: 'error' })]) {
      expect(limiterOn(store).checkNow('u', 1, min)).toBeUndefined();
    }
    expect(await storage.keys()).toEqual([]);
  });

  test('B-31 an admitted call sets the expiry, a denied one leaves it', async () => {
    const storage = createMemoryStorage();
    const limiter = limiterOn(storage);
    jest.setSystemTime(10_000);
    await limiter.check('u', 1, min);
    expect(await storage.ttl('u:rl:60000')).toBe(110);
    jest.setSystemTime(50_000);
    await limiter.check('u', 1, min);
    expect(await storage.ttl('u:rl:60000')).toBe(70);
  });

  test('B-70 a clock that steps back by an hour admits nobody twice', async () => {
    jest.setSystemTime(10_000_000);
    const limiter = limiterOn(createMemoryStorage());
    for (let call = 0; call < 10; call++) await limiter.check('u', 10, min);
    jest.setSystemTime(10_000_000 - 3_600_000);
    expect((await limiter.check('u', 10, min)).allowed).toBe(false);
  });

  test('B-08 planned steps are counted all together or not at all', async () => {
    const storage: MemoryStorage = createMemoryStorage();
    const limiter = limiterOn(storage);
    const decide = async (): Promise<RateLimitResult[]> => {
      const plans = [limiter.planCheck('A', 10, min), limiter.planCheck('B', 2, min)];
      const results = await storage.executeTogether(plans.map(({ call }) => call as never));
      return plans.map((plan, index) => plan.settle(results[index]));
    };
    await decide();
    await decide();
    const [a, b] = await decide();
    expect([a?.allowed, b?.allowed]).toEqual([true, false]);
    expect(await limiter.peek('A', 10, min)).toMatchObject({ currentCount: 2 });
  });

  test('a plan refuses bad input before anything is sent', () => {
    expect(() => new SlidingWindowRateLimiter(createMemoryStorage()).planCheck('a', -1, 1)).toThrow(
      RangeError,
    );
  });
});

describe('SlidingWindowRateLimiter on a storage that falls back', () => {
  /** A store that can be taken down, and the memory store that stands in for it. */
  function fallingBack(open: (memory: MemoryStorage) => StorageAdapter) {
    const primary = createMemoryStorage();
    const own = createMemoryStorage();
    let isDown = false;
    const shaky = new Proxy(open(primary), {
      get(target, property) {
        const value: unknown = Reflect.get(target, property, target);
        if (property === 'inProcess' || property === 'prepare') return undefined;
        if (property === 'ping') return () => Promise.resolve(!isDown);
        if (typeof value !== 'function' || property === 'supportsPubSub') return value;
        const method = value.bind(target) as (...args: unknown[]) => unknown;
        return (...args: unknown[]) =>
          isDown ? Promise.reject(new GuardStorageUnavailableError('Down')) : method(...args);
      },
    });
    const logger = { info: () => undefined, warn: () => undefined };
    const createMemory = () => own;
    const storage = withFallback(shaky, { fallback: 'memory', logger, createMemory });
    return { storage, primary, own, setDown: (down: boolean) => (isDown = down) };
  }

  test.each([
    ['atomic', (memory: MemoryStorage): StorageAdapter => memory],
    ['plain', (memory: MemoryStorage): StorageAdapter => plainOnly(memory)],
  ])('a refund goes to the store that counted, or nowhere, on the %s path', async (_path, open) => {
    const { storage, primary, own, setDown } = fallingBack(open);
    const limiter = new SlidingWindowRateLimiter(storage);
    const counted = await limiter.check('u', 10, min, { cost: 4 });
    expect(await limiter.refund('u', counted)).toBe(4);
    const before = await limiter.check('u', 10, min, { cost: 3 });
    setDown(true);
    const met = await limiter.check('u', 10, min, { cost: 2 });
    expect(met.allowed).toBe(true);
    const during = await limiter.check('u', 10, min, { cost: 5 });
    expect(await limiter.refund('u', before)).toBe(0);
    expect(await limiter.refund('u', met)).toBe(0);
    expect(await limiter.peek('u', 10, min)).toMatchObject({ currentCount: 7 });
    expect(await limiter.refund('u', during)).toBe(5);
    expect(await limiter.peek('u', 10, min)).toMatchObject({ currentCount: 2 });
    expect(await limiter.refund('u', { ...during })).toBe(0);
    for (const store of [primary, own]) {
      for (const key of await store.keys()) expect(await store.ttl(key)).toBeGreaterThan(0);
    }
  });
});
