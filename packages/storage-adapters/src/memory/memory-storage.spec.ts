import {
  errorHelp,
  GuardConfigError,
  GuardError,
  GuardStorageUnavailableError,
  type StorageAdapter,
} from '@frontmcp/guard-core';

import { add } from '../../test/add-operation.js';
import { createTestLogger } from '../../test/test-logger.js';
import { createMemoryStorage, GuardStorageFullError } from '../memory.js';

let now = Date.UTC(2026, 0, 1);
const clock = (): number => now;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Lets time go by on both clocks. */
async function elapse(ms: number): Promise<void> {
  now += ms;
  await jest.advanceTimersByTimeAsync(ms);
}

describe('the clock of the memory store', () => {
  it('does not give a key more time, or another window, when it steps back', async () => {
    const storage = createMemoryStorage({ clock });
    await storage.set('k', 'v', { ttlMs: 1000 });
    await storage.execute(add, 'sum', { ttlMs: 1000 });
    now -= 3_600_000;
    expect(await storage.ttl('k')).toBe(1);
    await elapse(1000);
    expect(await storage.get('k')).toBeNull();
    expect(await storage.execute(add, 'sum', {})).toBe(1);
  });

  it.each([NaN, Infinity, -Infinity])(
    'admits nothing anew when it gives %d once',
    async (reading) => {
      const clock = jest.fn(() => now);
      const prepared = createMemoryStorage({ clock }).prepare(add, 'rl');
      expect(await prepared('k', { max: 1 })).toBe(1);
      clock.mockReturnValueOnce(reading);
      for (let call = 0; call < 3; call++) expect(await prepared('k', { max: 1 })).toBeNull();
    },
  );

  it('is followed when it steps forward', async () => {
    const storage = createMemoryStorage({ clock });
    await storage.set('k', 'v', { ttlMs: 1000 });
    now += 3_600_000;
    expect(await storage.get('k')).toBeNull();
  });
});

describe('expiry in the memory store', () => {
  it('B-50: gives 100,000 expired keys back by itself, in small steps', async () => {
    const storage = createMemoryStorage({ clock });
    const prepared = storage.prepare(add, 'sum');
    for (let key = 0; key < 100_000; key++) void prepared(String(key), { ttlMs: 500 });
    expect(storage.size).toBe(100_000);
    now += 500;
    await jest.advanceTimersByTimeAsync(100);
    expect(storage.size).toBeGreaterThan(90_000);
    expect(storage.size).toBeLessThan(100_000);
    await jest.advanceTimersByTimeAsync(1000);
    expect(storage.size).toBe(0);
  });

  it('goes round all kinds, and leaves live keys alone', async () => {
    const storage = createMemoryStorage({ clock });
    const [one, two] = [storage.prepare(add, 'one'), storage.prepare(add, 'two')];
    await storage.set('plain', 'v', { ttlMs: 100 });
    await storage.set('for ever', 'v');
    await one('k', { ttlMs: 100 });
    await two('k', { ttlMs: 100 });
    await two('live', { ttlMs: 3_600_000 });
    await elapse(1000);
    expect(storage.size).toBe(2);
    expect((await storage.keys()).sort()).toEqual(['for ever', 'live:two']);
  });

  it('gives expired keys back while new ones come, without a timer', async () => {
    const storage = createMemoryStorage({ clock });
    for (let key = 0; key < 1000; key++) await storage.set(`old ${key}`, 'v', { ttlMs: 10 });
    now += 10;
    for (let key = 0; key < 1000; key++) await storage.set(`new ${key}`, 'v');
    expect(storage.size).toBeLessThanOrEqual(1001);
  });

  it('gives the place of a key back that a step deleted; until then the key is absent', async () => {
    const storage = createMemoryStorage({ clock });
    const prepared = storage.prepare(add, 'sum');
    await prepared('k', { amount: 2 });
    await prepared('k', { amount: -2 });
    const absent = [
      await storage.exists('k:sum'),
      await storage.keys(),
      await storage.ttl('k:sum'),
    ];
    expect(absent).toEqual([false, [], null]);
    expect([await storage.get('k:sum'), await storage.delete('k:sum')]).toEqual([null, false]);
    await prepared('k', { amount: 3 });
    await prepared('k', { amount: -3 });
    expect(await prepared('k', { amount: 5 })).toBe(5);
    expect(storage.size).toBe(1);
    await prepared('k', { amount: -5 });
    await elapse(100);
    expect([storage.size, jest.getTimerCount()]).toEqual([0, 0]);
  });

  it('keeps the places of a few deleted keys at most', async () => {
    const storage = createMemoryStorage({ clock });
    const prepared = storage.prepare(add, 'sum');
    for (let key = 0; key < 1000; key++) {
      await prepared(String(key), { amount: 1 });
      await prepared(String(key), { amount: -1 });
    }
    expect(storage.size).toBe(16);
    expect(await storage.count()).toBe(0);
  });

  it('has one timer while it holds anything, and none while it is empty', async () => {
    const storage = createMemoryStorage({ clock });
    expect(jest.getTimerCount()).toBe(0);
    await storage.set('a', 'v', { ttlMs: 100 });
    await storage.set('b', 'v', { ttlMs: 100 });
    expect(jest.getTimerCount()).toBe(1);
    await elapse(300);
    expect(jest.getTimerCount()).toBe(0);
    await storage.set('c', 'v');
    expect(jest.getTimerCount()).toBe(1);
    await storage.disconnect();
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('a memory store with maxEntries', () => {
  function full() {
    const logger = createTestLogger();
    const storage = createMemoryStorage({ clock, maxEntries: 3, logger });
    return { storage, logger };
  }

  it('B-52: refuses new keys when it is full, and keeps the exhausted one denied', async () => {
    const storage = createMemoryStorage({ clock, maxEntries: 1000 });
    const prepared = storage.prepare(add, 'rl');
    expect(await prepared('exhausted', { max: 1 })).toBe(1);
    let refused = 0;
    for (let key = 0; key < 5000; key++) {
      await prepared(String(key), { max: 1 }).catch(() => refused++);
    }
    expect(refused).toBe(5000 - 999);
    expect(storage.size).toBe(1000);
    expect(await prepared('exhausted', { max: 1 })).toBeNull();
  });

  it('says so once each time that it becomes full', async () => {
    const { storage, logger } = full();
    const line = 'warn: Memory storage is full with 3 live entries: new keys are refused';
    for (const key of ['a', 'b', 'c']) await storage.set(key, 'v');
    for (const key of ['d', 'e']) {
      await expect(storage.set(key, 'v')).rejects.toBeInstanceOf(GuardStorageFullError);
    }
    expect(logger.lines).toEqual([line]);
    await storage.delete('a');
    await storage.set('d', 'v');
    await expect(storage.incr('e')).rejects.toBeInstanceOf(GuardStorageFullError);
    expect(logger.lines).toEqual([line, line]);
  });

  it('has an error that names the limit', async () => {
    const { storage } = full();
    for (const key of ['a', 'b', 'c']) await storage.set(key, 'v');
    const error = await storage.set('d', 'v').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(GuardError);
    expect(error).toMatchObject({
      name: 'GuardStorageFullError',
      code: 'GUARD_STORAGE_FULL',
      statusCode: 503,
      maxEntries: 3,
      message: `Memory storage is full: maxEntries is 3 and all of them are live (see ${errorHelp('GUARD_STORAGE_FULL')})`,
    });
  });

  it('takes writes to the keys that it holds, and steps that keep nothing', async () => {
    const { storage } = full();
    for (const key of ['a', 'b', 'c']) await storage.set(key, '1');
    expect(await storage.set('a', '2')).toBe(true);
    expect(await storage.incr('b')).toBe(2);
    expect(await storage.execute(add, 'new', { max: 0 })).toBeNull();
    expect(await storage.execute(add, 'new', { amount: 0 })).toBe(0);
    expect(storage.size).toBe(3);
  });

  it('has the room of a key that a step deleted at once', async () => {
    const { storage } = full();
    const prepared = storage.prepare(add, 'sum');
    for (const key of ['a', 'b', 'c']) await prepared(key, { amount: 1 });
    await prepared('b', { amount: -1 });
    expect(storage.size).toBe(2);
    expect(await storage.set('d', 'v')).toBe(true);
  });

  it('makes room of expired keys first', async () => {
    const { storage, logger } = full();
    for (const key of ['a', 'b', 'c']) await storage.set(key, 'v', { ttlMs: 100 });
    now += 100;
    for (const key of ['d', 'e', 'f']) await storage.set(key, 'v');
    expect(logger.lines).toEqual([]);
  });

  describe('once it refused a new key', () => {
    async function halfExpired(maxEntries: number, clock: () => number) {
      const storage = createMemoryStorage({ clock, maxEntries });
      for (let key = 0; key < maxEntries; key++) {
        await storage.set(String(key), 'v', key < maxEntries / 2 ? { ttlMs: 1000 } : {});
      }
      now += 1000;
      return storage;
    }

    async function refusals(storage: StorageAdapter, keys: number, pauseMs?: number) {
      let refused = 0;
      for (let key = 0; key < keys; key++) {
        await storage.set(`new ${key}`, 'v').catch(() => refused++);
        if (pauseMs !== undefined) await elapse(pauseMs);
      }
      return refused;
    }

    it('of which half has expired, refuses one per thousand entries at most, without a timer', async () => {
      const storage = await halfExpired(20_000, clock);
      expect(await refusals(storage, 10_000)).toBeLessThanOrEqual(20);
    });

    it('of which half has expired, is looked through without pause', async () => {
      const storage = await halfExpired(100_000, clock);
      expect(await refusals(storage, 100, 10)).toBeLessThan(10);
      expect(storage.size).toBeLessThanOrEqual(50_100);
    });

    it('is looked through once, a thousand entries at a time, and then at the usual pace', async () => {
      const reading = jest.fn(clock);
      const storage = createMemoryStorage({ clock: reading, maxEntries: 10_000 });
      for (let key = 0; key < 10_000; key++) await storage.set(String(key), 'v');
      await expect(storage.set('new', 'v')).rejects.toBeInstanceOf(GuardStorageFullError);
      reading.mockClear();
      await jest.advanceTimersByTimeAsync(50);
      expect(reading).toHaveBeenCalledTimes(10);
      await jest.advanceTimersByTimeAsync(1000);
      expect(reading).toHaveBeenCalledTimes(20);
      expect(jest.getTimerCount()).toBe(1);
    });
  });

  it('takes no room twice that the expired key of a step among several gives back', async () => {
    const { storage } = full();
    await storage.execute(add, 'a', { ttlMs: 100 });
    for (const key of ['b', 'c']) await storage.execute(add, key, {});
    now += 100;
    const calls = ['new', 'a'].map((key) => ({ operation: add, key, args: {} }));
    await expect(storage.executeTogether(calls)).rejects.toBeInstanceOf(GuardStorageFullError);
    expect(await storage.executeTogether(calls.slice(1))).toEqual([1]);
    expect(storage.size).toBe(3);
  });

  it('writes all of an mset or nothing', async () => {
    const { storage } = full();
    await storage.set('held', '1');
    const entries = ['held', 'a', 'b', 'c'].map((key) => ({ key, value: '2' }));
    await expect(storage.mset(entries)).rejects.toBeInstanceOf(GuardStorageFullError);
    expect(await storage.mget(['held', 'a'])).toEqual(['1', null]);
    await storage.mset([...entries.slice(0, 3), { key: 'a', value: '3' }]);
    expect(await storage.mget(['held', 'a', 'b'])).toEqual(['2', '3', '2']);
  });

  it('writes all of an mset or nothing, with keys that are alike in several kinds', async () => {
    const { storage } = full();
    storage.prepare(add, 'one');
    storage.prepare(add, 'two');
    await storage.set('held', '1');
    const entries = ['k', 'k:one', 'k:two'].map((key) => ({ key, value: '2' }));
    await expect(storage.mset(entries)).rejects.toBeInstanceOf(GuardStorageFullError);
    expect(await storage.keys()).toEqual(['held']);
  });

  it('writes all of an mset or nothing, when keys of it have expired', async () => {
    const { storage } = full();
    await storage.mset(['a', 'b'].map((key) => ({ key, value: '1', options: { ttlMs: 100 } })));
    await storage.set('held', '1');
    now += 100;
    const entries = ['a', 'b', 'c'].map((key) => ({ key, value: '2' }));
    await expect(storage.mset(entries)).rejects.toBeInstanceOf(GuardStorageFullError);
    expect(await storage.keys()).toEqual(['held']);
    await storage.mset(entries.slice(0, 2));
    expect(storage.size).toBe(3);
  });

  it('takes an mset over any number of its own expired keys', async () => {
    const storage = createMemoryStorage({ clock, maxEntries: 1000 });
    const keys = Array.from({ length: 500 }, (_, index) => String(index));
    await storage.mset(keys.map((key) => ({ key: `live ${key}`, value: '1' })));
    await storage.mset(keys.map((key) => ({ key, value: '1', options: { ttlMs: 100 } })));
    now += 100;
    await storage.mset(keys.map((key) => ({ key, value: '2' })));
    expect(storage.size).toBe(1000);
  });

  it('counts what steps taken together write in the place of expired entries, which make room for each other', async () => {
    const storage = createMemoryStorage({ clock, maxEntries: 100 });
    const keys = Array.from({ length: 100 }, (_, key) => `k${key}`);
    for (const key of keys) await storage.execute(add, key, { ttlMs: 1000 });
    now += 1000;
    const calls = ['new', 'k0', 'k1'].map((key) => ({ operation: add, key, args: {} }));
    expect(await storage.executeTogether(calls)).toEqual([1, 1, 1]);
    expect([storage.size, await storage.count()]).toEqual([3, 3]);
  });

  it('commits all steps taken together or none', async () => {
    const { storage } = full();
    await storage.set('held', '1');
    const calls = ['a', 'b', 'c'].map((key) => ({ operation: add, key, args: {} }));
    await expect(storage.executeTogether(calls)).rejects.toBeInstanceOf(GuardStorageFullError);
    expect(await storage.keys()).toEqual(['held']);
    expect(await storage.executeTogether(calls.slice(0, 2))).toEqual([1, 1]);
    expect(await storage.executeTogether(calls.slice(0, 2))).toEqual([2, 2]);
  });

  it('needs no room for steps taken together that keep nothing', async () => {
    const { storage } = full();
    for (const key of ['a', 'b', 'c']) await storage.execute(add, key, {});
    const look = { operation: add, key: 'new', args: { amount: 0 } };
    expect(await storage.executeTogether([look, { operation: add, key: 'a', args: {} }])).toEqual([
      0, 2,
    ]);
  });

  it.each([0, -1, 1.5, NaN, '10'])('refuses a maxEntries of %p', (maxEntries) => {
    const create = () => createMemoryStorage({ maxEntries: maxEntries as number });
    expect(create).toThrow(GuardConfigError);
    expect(create).toThrow(`maxEntries must be a positive integer, got ${maxEntries}`);
  });
});

describe('createMemoryStorage', () => {
  it.each([
    [
      'Unknown key "maxEntires" in the options of createMemoryStorage, did you mean "maxEntries"?',
      { maxEntires: 5 },
    ],
    ['the options of createMemoryStorage must be an object, got null', null],
    ['the options of createMemoryStorage must be an object, got number', 5],
  ])('says: %s', (message, options) => {
    expect(() => createMemoryStorage(options as never)).toThrow(new GuardConfigError(message));
  });
});

describe('the memory store', () => {
  it.each([
    ['number', 5],
    ['undefined', undefined],
    ['null', null],
    ['object', {}],
  ])(
    'refuses a value that is no string but of type %s, and writes nothing',
    async (type, value) => {
      const storage = createMemoryStorage();
      const refusal = new TypeError(`Value of storage key "k" must be a string, got ${type}`);
      await expect(storage.set('k', value as never)).rejects.toEqual(refusal);
      const entries = [
        { key: 'first', value: 'v' },
        { key: 'k', value: value as never },
      ];
      await expect(storage.mset(entries)).rejects.toEqual(refusal);
      expect(storage.size).toBe(0);
    },
  );

  it.each([1e306, Number.MAX_SAFE_INTEGER])('refuses a time to live of %d seconds', async (s) => {
    const storage = createMemoryStorage();
    await storage.set('k', 'v');
    await expect(storage.expire('k', s)).rejects.toThrow(RangeError);
    await expect(storage.expire('k', s)).rejects.toThrow(`a safe integer in ms, got ${s}`);
    await expect(storage.set('k', 'v', { ttlSeconds: s })).rejects.toThrow(RangeError);
  });

  it('[ST-19] is usable without connect, and connect does no harm', async () => {
    const storage = createMemoryStorage();
    await storage.set('k', 'v');
    await storage.connect();
    expect(await storage.get('k')).toBe('v');
    expect(storage.supportsPubSub()).toBe(true);
  });

  it('says that it is in the process', () => {
    expect(createMemoryStorage().inProcess).toBe(true);
  });

  it('is empty after disconnect, and refuses calls', async () => {
    const storage = createMemoryStorage();
    await storage.set('k', 'v');
    await storage.disconnect();
    expect(storage.size).toBe(0);
    await expect(storage.get('k')).rejects.toBeInstanceOf(GuardStorageUnavailableError);
    await storage.connect();
    expect(await storage.get('k')).toBeNull();
  });

  it('takes a key of a megabyte', async () => {
    const storage = createMemoryStorage();
    const key = 'k'.repeat(2 ** 20);
    await storage.set(key, 'v');
    expect(await storage.get(key)).toBe('v');
    await expect(storage.incr(key)).rejects.toThrow(
      /^Cannot add 1 to the value of storage key "k{64}"/,
    );
  });

  it('finds a plain value by its full name, prepared before or after it was written', async () => {
    const storage = createMemoryStorage();
    await storage.set('before:sum', '1');
    storage.prepare(add, 'sum');
    await storage.set('after:sum', '2');
    expect(await storage.mget(['before:sum', 'after:sum'])).toEqual(['1', '2']);
    expect((await storage.keys()).sort()).toEqual(['after:sum', 'before:sum']);
    expect(await storage.mdelete(['before:sum', 'after:sum'])).toBe(2);
    expect(storage.size).toBe(0);
  });

  it('has kinds that could end one name refused when they are bound', () => {
    const storage = createMemoryStorage();
    storage.prepare(add, 'rl');
    expect(() => storage.prepare(add, 'x:rl')).toThrow(TypeError);
    expect(() => storage.prepare(add, 'a\uD800')).toThrow(TypeError);
    expect(() => storage.prepare(add, 'sum', 'a\uD800')).toThrow(TypeError);
  });

  it('makes room of an expired key that stands behind empty tables', async () => {
    const storage = createMemoryStorage({ clock, maxEntries: 4 });
    for (const prefix of ['a:', 'b:', 'c:']) {
      await storage.prepare(add, 'sum', prefix)('k', {});
    }
    await storage.set('d', 'v', { ttlMs: 1 });
    expect(await storage.mdelete(['a:k:sum', 'b:k:sum', 'c:k:sum'])).toBe(3);
    for (const key of ['e', 'f', 'g']) await storage.prepare(add, 'sum', 'last:')(key, {});
    now += 1;
    await storage.prepare(add, 'sum', 'last:')('h', {});
    expect(await storage.keys()).toHaveLength(4);
  });

  it('refuses a new key as fast, however many prefixes were ever bound', async () => {
    jest.useRealTimers();
    const time = async (prefixes: number): Promise<number> => {
      const storage = createMemoryStorage({ maxEntries: 1 });
      for (let at = 0; at < prefixes; at++) storage.prepare(add, 'sum', `server-${at}:`);
      await storage.set('held', 'v');
      const rounds: number[] = [];
      for (let round = 0; round < 20; round++) {
        const start = performance.now();
        for (let call = 0; call < 20; call++) {
          await storage.incr('new').catch(() => undefined);
        }
        rounds.push(performance.now() - start);
      }
      return Math.min(...rounds);
    };
    await time(1);
    const few = await time(1);
    expect(await time(4000)).toBeLessThan(5 * few);
  });

  it('tells the logger of a handler that throws', async () => {
    const logger = createTestLogger();
    const storage = createMemoryStorage({ logger });
    await storage.subscribe('c', () => {
      throw new Error('handler');
    });
    await storage.publish('c', 'message');
    await jest.advanceTimersByTimeAsync(0);
    expect(logger.lines).toEqual(['warn: A message handler of channel "c" threw']);
  });

  it('takes no harm of a logger that throws', async () => {
    const fail = jest.fn((): never => {
      throw new Error('Logger is broken');
    });
    const storage = createMemoryStorage({ maxEntries: 1, logger: { info: fail, warn: fail } });
    await storage.set('a', 'v');
    await expect(storage.set('b', 'v')).rejects.toBeInstanceOf(GuardStorageFullError);
    await storage.subscribe('c', () => {
      throw new Error('handler');
    });
    await storage.publish('c', 'message');
    await expect(jest.advanceTimersByTimeAsync(0)).resolves.toBeUndefined();
    expect(fail).toHaveBeenCalledTimes(2);
  });

  it('changes nothing, and rejects, when an operation throws', async () => {
    const storage = createMemoryStorage();
    await storage.execute(add, 'sum', {});
    const failing = {
      name: 'test.failing',
      decide: () => {
        throw new Error('Cannot decide');
      },
    };
    await expect(storage.execute(failing, 'sum', {})).rejects.toThrow('Cannot decide');
    await expect(storage.prepare(failing, 'x')('sum', {})).rejects.toThrow('Cannot decide');
    const together = [
      { operation: add, key: 'sum', args: {} },
      { operation: failing, key: 'other', args: {} },
    ];
    await expect(storage.executeTogether(together)).rejects.toThrow('Cannot decide');
    expect(await storage.execute(add, 'sum', { amount: 0 })).toBe(1);
  });

  it.each([
    [String(Number.MAX_SAFE_INTEGER), 1],
    ['9007199254740993', -10],
  ])(
    'refuses to count %s by %d: beyond the safe integers sums are wrong',
    async (value, amount) => {
      const storage = createMemoryStorage();
      await storage.set('k', value);
      await expect(storage.incrBy('k', amount)).rejects.toThrow('is not a safe integer');
      expect(await storage.get('k')).toBe(value);
    },
  );
});
