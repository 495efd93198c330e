import {
  errorHelp,
  GuardConfigError,
  GuardStorageUnavailableError,
  type StorageAdapter,
} from '@frontmcp/guard-core';
import { plainOnly, registerStorageConformance } from '@frontmcp/guard-storage-conformance';

import { add } from '../../test/add-operation.js';
import { createFaultyStorage } from '../../test/faulty-storage.js';
import { createTestLogger } from '../../test/test-logger.js';
import { createMemoryStorage, GuardStorageFullError, withFallback } from '../index.js';
import type { StorageFallback } from '../storage-fallback.js';

const LINK = `(see ${errorHelp('GUARD_STORAGE_UNAVAILABLE')})`;

let now = Date.UTC(2026, 0, 1);
const clock = (): number => now;
const advance = (ms: number): void => {
  now += ms;
};

describe.each(['error', 'memory'] as const)('the contract, with fallback %s', (fallback) => {
  const logger = createTestLogger();
  registerStorageConformance(
    'on the memory store',
    { describe, test },
    {
      createStorage: () =>
        withFallback(createMemoryStorage({ clock, logger }), { fallback, logger }),
      advance,
    },
  );
  registerStorageConformance(
    'on a plain store',
    { describe, test },
    {
      createStorage: () =>
        withFallback(plainOnly(createMemoryStorage({ clock, logger })), { fallback, logger }),
      advance,
      without: ['atomic', 'together'],
    },
  );
});

const DOWN = {
  error: 'warn: Storage is down: calls fail until it answers',
  memory: 'warn: Storage is down: until it answers, each instance counts in its own memory',
};
const BACK = 'info: Storage answers again: calls go to it';

function setUp(fallback: StorageFallback) {
  const logger = createTestLogger();
  const faulty = createFaultyStorage();
  const memory = createMemoryStorage();
  const storage = withFallback(faulty.storage, { fallback, logger, createMemory: () => memory });
  return { faulty, memory, storage, lines: logger.lines };
}

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

function useFakeTimers(): void {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
}

describe.each(['error', 'memory'] as const)('a store that fails, with fallback %s', (fallback) => {
  useFakeTimers();

  it('is not called again before a probe has found that it answers', async () => {
    const { faulty, storage } = setUp(fallback);
    faulty.fault = 'fails';
    await failureOf(storage.get('k'));
    for (let call = 0; call < 5; call++) await failureOf(storage.get('k'));
    expect(faulty.calls).toEqual(['get']);
  });

  it('is probed once a second while calls come, and no call waits for a probe', async () => {
    const { faulty, storage } = setUp(fallback);
    faulty.fault = 'fails';
    for (let call = 0; call < 5; call++) await failureOf(storage.get('k'));
    await jest.advanceTimersByTimeAsync(999);
    expect(faulty.calls).toEqual(['get']);
    await jest.advanceTimersByTimeAsync(1);
    expect(faulty.calls).toEqual(['get', 'connect']);
    faulty.fault = 'hangs';
    await failureOf(storage.get('k'));
    await jest.advanceTimersByTimeAsync(1000);
    expect(faulty.calls).toEqual(['get', 'connect', 'connect']);
    await failureOf(storage.get('k'));
    expect(faulty.calls).toEqual(['get', 'connect', 'connect']);
  });

  it('costs nothing while nobody calls it', async () => {
    const { faulty, storage } = setUp(fallback);
    faulty.fault = 'fails';
    await failureOf(storage.get('k'));
    expect(jest.getTimerCount()).toBe(0);
    await jest.advanceTimersByTimeAsync(3_600_000);
    expect(faulty.calls).toEqual(['get']);
  });

  it('B-43: is used again by the first call after a pause in which it came back', async () => {
    const { faulty, storage, lines } = setUp(fallback);
    await faulty.backend.set('k', 'there');
    faulty.fault = 'fails';
    await failureOf(storage.get('k'));
    await jest.advanceTimersByTimeAsync(60_000);
    faulty.fault = 'none';
    expect(await storage.get('k')).toBe('there');
    expect(lines).toEqual([DOWN[fallback], BACK]);
  });

  it('B-43: is used again after any number of probes that failed', async () => {
    const { faulty, storage } = setUp(fallback);
    await faulty.backend.set('k', 'there');
    faulty.fault = 'fails';
    for (let second = 0; second < 10; second++) {
      await failureOf(storage.get('k'));
      await jest.advanceTimersByTimeAsync(1000);
    }
    faulty.fault = 'none';
    await failureOf(storage.get('k'));
    await jest.advanceTimersByTimeAsync(1000);
    expect(await storage.get('k')).toBe('there');
  });

  it('says once that it went down and once that it is back', async () => {
    const { faulty, storage, lines } = setUp(fallback);
    faulty.fault = 'fails';
    await Promise.all([1, 2, 3].map(() => failureOf(storage.get('k'))));
    await failureOf(storage.get('k'));
    expect(lines).toEqual([DOWN[fallback]]);
    faulty.fault = 'none';
    await jest.advanceTimersByTimeAsync(1000);
    expect(lines).toEqual([DOWN[fallback], BACK]);
  });

  it('says it to stderr without a logger, since stdout may be the protocol of a server', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    const info = jest.spyOn(console, 'info').mockReturnValue();
    const faulty = createFaultyStorage();
    const storage = withFallback(faulty.storage, { fallback });
    faulty.fault = 'fails';
    await failureOf(storage.get('k'));
    await failureOf(storage.get('k'));
    faulty.fault = 'none';
    await jest.advanceTimersByTimeAsync(1000);
    expect(warn.mock.calls.map(([line]) => String(line))).toEqual(
      [DOWN[fallback], BACK].map((line) => line.replace(/^[a-z]+: /, '')),
    );
    expect(info).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });

  it('forwards the epoch of the store underneath', () => {
    const inner = { ...plainOnly(createMemoryStorage()), epoch: 5 };
    const storage = withFallback(inner, { fallback });
    const before = storage.epoch;
    inner.epoch = 6;
    expect(storage.epoch).not.toBe(before);
  });

  it('stays down for a failure that comes late, and is not taken down by one from before it came back', async () => {
    const { faulty, storage, lines } = setUp(fallback);
    faulty.fault = 'hangs';
    const late = failureOf(storage.get('slow'));
    faulty.fault = 'fails';
    await failureOf(storage.get('k'));
    faulty.fault = 'none';
    await jest.advanceTimersByTimeAsync(1000);
    await storage.get('k');
    faulty.answer('failure');
    await late;
    expect(lines).toEqual([DOWN[fallback], BACK]);
  });

  it('is not down for a call that it refused', async () => {
    const { faulty, storage, lines } = setUp(fallback);
    await storage.set('word', 'abc');
    expect(await failureOf(storage.incr('word'))).toBeInstanceOf(TypeError);
    expect(await failureOf(storage.expire('word', 0))).toBeInstanceOf(RangeError);
    faulty.fault = 'fails';
    faulty.error = new GuardStorageFullError(1);
    expect(await failureOf(storage.set('k', 'v'))).toBe(faulty.error);
    expect(lines).toEqual([]);
  });

  it('has a prepared step go the same way as any call', async () => {
    const { faulty, storage, lines } = setUp(fallback);
    const prepared = storage.prepare!(add, 'sum');
    expect(await prepared('k', {})).toBe(1);
    faulty.fault = 'fails';
    await failureOf(prepared('k', {}));
    expect(lines).toEqual([DOWN[fallback]]);
    faulty.fault = 'none';
    await failureOf(prepared('k', {}));
    await jest.advanceTimersByTimeAsync(1000);
    expect(await prepared('k', {})).toBe(2);
  });

  it('makes its subscriptions again before it counts as up', async () => {
    const { faulty, storage } = setUp(fallback);
    const heard: string[] = [];
    await storage.subscribe('c', (message, channel) => heard.push(`${channel} ${message}`));
    faulty.fault = 'fails';
    await failureOf(storage.get('k'));
    faulty.dropSubscriptions();
    faulty.fault = 'none';
    await failureOf(storage.get('k'));
    await jest.advanceTimersByTimeAsync(1000);
    await storage.publish('c', 'after');
    await jest.advanceTimersByTimeAsync(0);
    expect(heard).toEqual(['c after']);
  });

  it('does not double a subscription that the store kept through the outage', async () => {
    const { faulty, storage } = setUp(fallback);
    const heard: string[] = [];
    const end = await storage.subscribe('c', (message) => heard.push(message));
    faulty.fault = 'fails';
    await failureOf(storage.get('k'));
    faulty.fault = 'none';
    await failureOf(storage.get('k'));
    await jest.advanceTimersByTimeAsync(1000);
    await storage.publish('c', 'after');
    await jest.advanceTimersByTimeAsync(0);
    expect(heard).toEqual(['after']);
    faulty.calls.length = 0;
    await end();
    await end();
    expect(faulty.calls).toEqual(['unsubscribe']);
    expect(await faulty.backend.publish('c', 'to nobody')).toBe(0);
  });

  it('stays down while it can be connected to, but does not answer', async () => {
    const { faulty, storage, lines } = setUp(fallback);
    faulty.fault = 'fails';
    await failureOf(storage.get('k'));
    faulty.fault = 'none';
    faulty.storage.ping = async () => false;
    await failureOf(storage.get('k'));
    await jest.advanceTimersByTimeAsync(1000);
    expect(lines).toEqual([DOWN[fallback]]);
  });

  it('stays down while a subscription cannot be made again', async () => {
    const { faulty, storage, lines } = setUp(fallback);
    await storage.subscribe('c', () => undefined);
    faulty.fault = 'fails';
    await failureOf(storage.get('k'));
    faulty.fault = 'none';
    const { subscribe } = faulty.storage;
    faulty.storage.subscribe = () => Promise.reject(new Error('SUBSCRIBE failed'));
    await failureOf(storage.get('k'));
    await jest.advanceTimersByTimeAsync(1000);
    expect(lines).toEqual([DOWN[fallback]]);
    faulty.storage.subscribe = subscribe;
    await failureOf(storage.get('k'));
    await jest.advanceTimersByTimeAsync(1000);
    expect(lines).toEqual([DOWN[fallback], BACK]);
  });

  it('does not hear or make again a subscription that was ended during the outage', async () => {
    const { faulty, storage } = setUp(fallback);
    const end = await storage.subscribe('c', () => undefined);
    faulty.fault = 'fails';
    await failureOf(storage.get('k'));
    faulty.dropSubscriptions();
    await end();
    faulty.fault = 'none';
    await failureOf(storage.get('k'));
    await jest.advanceTimersByTimeAsync(1000);
    expect(await storage.publish('c', 'to nobody')).toBe(0);
  });

  it('is neither probed nor connected after disconnect, whatever is in flight', async () => {
    const { faulty, storage, lines } = setUp(fallback);
    faulty.fault = 'hangs';
    const inFlight = failureOf(storage.get('k'));
    faulty.fault = 'fails';
    await failureOf(storage.get('k'));
    await failureOf(storage.get('k'));
    faulty.fault = 'none';
    await storage.disconnect();
    faulty.answer('failure');
    expect(await inFlight).toBeInstanceOf(GuardStorageUnavailableError);
    expect(await failureOf(storage.get('k'))).toBeInstanceOf(GuardStorageUnavailableError);
    await jest.advanceTimersByTimeAsync(5000);
    expect(faulty.calls).toEqual(['get', 'get', 'disconnect']);
    expect(jest.getTimerCount()).toBe(0);
    expect(lines).toEqual([DOWN[fallback]]);
  });

  it('is not brought back by a probe from before it was disconnected', async () => {
    const { faulty, storage, lines } = setUp(fallback);
    faulty.fault = 'fails';
    await failureOf(storage.get('k'));
    await failureOf(storage.get('k'));
    faulty.fault = 'hangs';
    await jest.advanceTimersByTimeAsync(1000);
    faulty.fault = 'none';
    await storage.disconnect();
    await storage.connect();
    faulty.answer('result');
    await jest.advanceTimersByTimeAsync(1000);
    expect(lines).toEqual([DOWN[fallback]]);
    expect(await storage.set('k', 'v')).toBe(true);
  });

  it('ends a subscription that was ended while it was made again', async () => {
    const { faulty, storage } = setUp(fallback);
    const end = await storage.subscribe('c', () => undefined);
    faulty.fault = 'fails';
    await failureOf(storage.get('k'));
    faulty.dropSubscriptions();
    faulty.fault = 'none';
    const { subscribe } = faulty.storage;
    let proceed = (): void => undefined;
    faulty.storage.subscribe = async (...args) => {
      await new Promise<void>((resolve) => (proceed = resolve));
      return subscribe(...args);
    };
    await failureOf(storage.get('k'));
    await jest.advanceTimersByTimeAsync(1000);
    await end();
    proceed();
    await jest.advanceTimersByTimeAsync(0);
    expect(await faulty.backend.publish('c', 'to nobody')).toBe(0);
  });

  it('hears nothing of a subscription that was ended while the store could not be told', async () => {
    const { faulty, storage } = setUp(fallback);
    const heard: string[] = [];
    const end = await storage.subscribe('c', (message) => heard.push(message));
    faulty.fault = 'fails';
    await failureOf(storage.get('k'));
    await end();
    expect(await faulty.backend.publish('c', 'still sent')).toBe(1);
    await jest.advanceTimersByTimeAsync(0);
    expect(heard).toEqual([]);
  });

  it('does not make a subscription again that disconnect has ended', async () => {
    const { faulty, storage } = setUp(fallback);
    await storage.subscribe('c', () => undefined);
    await storage.disconnect();
    await storage.connect();
    faulty.fault = 'fails';
    await failureOf(storage.get('k'));
    faulty.fault = 'none';
    await jest.advanceTimersByTimeAsync(1000);
    await storage.get('k');
    expect(await storage.publish('c', 'to nobody')).toBe(0);
  });

  it('is not down for a call that fails because of disconnect', async () => {
    const { faulty, storage, lines } = setUp(fallback);
    faulty.fault = 'hangs';
    const inFlight = failureOf(storage.get('k'));
    faulty.fault = 'none';
    await storage.disconnect();
    faulty.answer('failure');
    expect(await inFlight).toBeInstanceOf(GuardStorageUnavailableError);
    expect(lines).toEqual([]);
  });

  it('refuses a subscription that it cannot take, and any after disconnect', async () => {
    const { faulty, storage } = setUp(fallback);
    faulty.fault = 'fails';
    faulty.error = new TypeError('Channel must be a string');
    expect(await failureOf(storage.subscribe('c', () => undefined))).toBe(faulty.error);
    faulty.fault = 'none';
    await storage.disconnect();
    expect(await failureOf(storage.subscribe('c', () => undefined))).toBeInstanceOf(
      GuardStorageUnavailableError,
    );
    await storage.connect();
    faulty.fault = 'fails';
    faulty.error = new Error('read ECONNRESET');
    await failureOf(storage.get('k'));
    faulty.fault = 'none';
    await jest.advanceTimersByTimeAsync(1000);
    await storage.get('k');
    expect(await faulty.backend.publish('c', 'to nobody')).toBe(0);
  });

  it('works again when it is connected again', async () => {
    const { faulty, storage } = setUp(fallback);
    faulty.fault = 'fails';
    await failureOf(storage.get('k'));
    faulty.fault = 'none';
    await storage.disconnect();
    await storage.connect();
    await storage.set('k', 'v');
    expect(await faulty.backend.get('k')).toBe('v');
  });

  it('has ping, supportsPubSub and inProcess tell of the store itself', async () => {
    const { faulty, storage } = setUp(fallback);
    expect([await storage.ping(), storage.supportsPubSub(), storage.inProcess]).toEqual([
      true,
      true,
      undefined,
    ]);
    faulty.fault = 'fails';
    await failureOf(storage.get('k'));
    expect(await storage.ping()).toBe(false);
  });

  it('has the methods of the store, and no others', () => {
    const plain = withFallback(plainOnly(createMemoryStorage(), { compare: false }), { fallback });
    for (const absent of ['execute', 'executeTogether', 'prepare', 'compareAndDelete']) {
      expect(plain).not.toHaveProperty(absent);
    }
  });

  it('passes on an error of connect that is no outage', async () => {
    const { faulty, storage } = setUp(fallback);
    faulty.fault = 'fails';
    faulty.error = new GuardConfigError('storage.redis.url is not a URL');
    expect(await failureOf(storage.connect())).toBe(faulty.error);
  });
});

describe('withFallback, error', () => {
  useFakeTimers();

  it('[ST-11] [ST-26] has each call fail at once with the outage as its cause while the store is down', async () => {
    const { faulty, storage } = setUp('error');
    faulty.fault = 'fails';
    const first = await failureOf(storage.get('k'));
    expect(first).toBeInstanceOf(GuardStorageUnavailableError);
    expect(first).toMatchObject({
      message: `Storage call get failed ${LINK}`,
      cause: faulty.error,
      code: 'GUARD_STORAGE_UNAVAILABLE',
      statusCode: 503,
    });
    const second = await failureOf(storage.execute!(add, 'k', {}));
    expect(second).toBeInstanceOf(GuardStorageUnavailableError);
    expect(second).toMatchObject({
      message: `Storage is down: execute(test.add) was not sent ${LINK}`,
      cause: first,
    });
  });

  it('has connect reject when the store cannot be reached', async () => {
    const { faulty, storage } = setUp('error');
    faulty.fault = 'fails';
    expect(await failureOf(storage.connect())).toMatchObject({
      message: `Storage call connect failed ${LINK}`,
      cause: faulty.error,
    });
  });

  it('has subscribe reject while the store is down, and keeps nothing', async () => {
    const { faulty, storage } = setUp('error');
    faulty.fault = 'fails';
    expect(await failureOf(storage.subscribe('c', () => undefined))).toBeInstanceOf(
      GuardStorageUnavailableError,
    );
    faulty.fault = 'none';
    await failureOf(storage.get('k'));
    await jest.advanceTimersByTimeAsync(1000);
    expect(await storage.publish('c', 'to nobody')).toBe(0);
  });

  it('is always at the same store', () => {
    expect(setUp('error').storage).not.toHaveProperty('current');
  });
});

describe('withFallback, memory', () => {
  useFakeTimers();

  it('[ST-12] serves calls from the memory of this instance until the store answers, the one that failed too', async () => {
    const { faulty, memory, storage } = setUp('memory');
    expect(await storage.incrBy('k', 10)).toBe(10);
    faulty.fault = 'fails';
    expect(await storage.incr('k')).toBe(1);
    expect(await storage.incr('k')).toBe(2);
    expect(await memory.get('k')).toBe('2');
    faulty.fault = 'none';
    await jest.advanceTimersByTimeAsync(1000);
    expect(await storage.incr('k')).toBe(11);
  });

  it('changes its epoch when it goes down and when it is back', async () => {
    const { faulty, storage } = setUp('memory');
    const epochs = [storage.epoch];
    faulty.fault = 'fails';
    await failureOf(storage.get('k'));
    epochs.push(storage.epoch);
    faulty.fault = 'none';
    await failureOf(storage.get('k'));
    await jest.advanceTimersByTimeAsync(1000);
    epochs.push(storage.epoch);
    expect(new Set(epochs).size).toBe(3);
  });

  it('serves prepared steps and steps taken together', async () => {
    const { faulty, storage } = setUp('memory');
    const prepared = storage.prepare!(add, 'sum');
    faulty.fault = 'fails';
    expect(await prepared('k', {})).toBe(1);
    expect(
      await storage.executeTogether!([
        { operation: add, key: 'k:sum', args: {} },
        { operation: add, key: 'other', args: {} },
      ]),
    ).toEqual([2, 1]);
  });

  it('keeps its memory from one outage to the next, so that a flapping store gives no free quota', async () => {
    const { faulty, storage } = setUp('memory');
    for (const expected of [1, 2]) {
      faulty.fault = 'fails';
      expect(await storage.incr('k')).toBe(expected);
      faulty.fault = 'none';
      await failureOf(storage.get('k'));
      await jest.advanceTimersByTimeAsync(1000);
    }
    expect(await faulty.backend.get('k')).toBeNull();
  });

  it('starts on memory when the store cannot be reached, and goes over when it can', async () => {
    const { faulty, storage, lines } = setUp('memory');
    faulty.fault = 'fails';
    await storage.connect();
    await storage.set('k', 'here');
    expect(lines).toEqual([DOWN.memory]);
    faulty.fault = 'none';
    await jest.advanceTimersByTimeAsync(1000);
    expect(await storage.get('k')).toBeNull();
    expect(lines).toEqual([DOWN.memory, BACK]);
  });

  it('warns once when connect is tried again during the outage', async () => {
    const { faulty, storage, lines } = setUp('memory');
    faulty.fault = 'fails';
    await storage.connect();
    await storage.connect();
    expect(lines).toEqual([DOWN.memory]);
  });

  it('gives its memory back on disconnect', async () => {
    const { faulty, memory, storage } = setUp('memory');
    faulty.fault = 'fails';
    await storage.incr('k');
    faulty.fault = 'none';
    expect(memory.size).toBe(1);
    await storage.disconnect();
    expect(memory.size).toBe(0);
  });

  it('changes its epoch when it is connected again after an outage', async () => {
    const { faulty, storage } = setUp('memory');
    faulty.fault = 'fails';
    await storage.get('k');
    const during = storage.epoch;
    faulty.fault = 'none';
    await storage.disconnect();
    await storage.connect();
    expect(storage.epoch).not.toBe(during);
  });

  it('B-52: passes on that its memory is full', async () => {
    const faulty = createFaultyStorage();
    const storage = withFallback(faulty.storage, {
      fallback: 'memory',
      logger: createTestLogger(),
      createMemory: () => createMemoryStorage({ maxEntries: 1 }),
    });
    faulty.fault = 'fails';
    await storage.set('a', '1');
    expect(await failureOf(storage.set('b', '2'))).toBeInstanceOf(GuardStorageFullError);
  });

  it('delivers what is published on either store to one subscription', async () => {
    const { faulty, memory, storage } = setUp('memory');
    const heard: string[] = [];
    const end = await storage.subscribe('c', (message) => heard.push(message));
    await storage.publish('c', 'store');
    faulty.fault = 'fails';
    await storage.publish('c', 'memory');
    await jest.advanceTimersByTimeAsync(0);
    expect(heard).toEqual(['store', 'memory']);
    faulty.fault = 'none';
    await end();
    expect(await memory.publish('c', 'to nobody')).toBe(0);
    expect(await faulty.backend.publish('c', 'to nobody')).toBe(0);
  });

  it('takes a subscription while the store is down, and makes it there later', async () => {
    const { faulty, storage } = setUp('memory');
    const heard: string[] = [];
    faulty.fault = 'fails';
    const end = await storage.subscribe('c', (message) => heard.push(message));
    await storage.publish('c', 'memory');
    faulty.fault = 'none';
    await jest.advanceTimersByTimeAsync(1000);
    await storage.publish('c', 'store');
    await jest.advanceTimersByTimeAsync(0);
    expect(heard).toEqual(['memory', 'store']);
    await end();
    expect(await faulty.backend.publish('c', 'to nobody')).toBe(0);
  });

  describe('current', () => {
    it('is one store while it is up and another while it is down', async () => {
      const { faulty, memory, storage } = setUp('memory');
      const store = storage.current!();
      await store.set('k', 'v');
      expect(await faulty.backend.get('k')).toBe('v');
      expect(storage.current!()).toBe(store);
      faulty.fault = 'fails';
      await storage.get('k');
      expect(storage.current!()).toBe(memory);
    });

    it('stays with the store it was: what that granted is released there, not elsewhere', async () => {
      const { faulty, memory, storage } = setUp('memory');
      const granting = storage.current!();
      await granting.set('slot', 'ticket');
      faulty.fault = 'fails';
      expect(await failureOf(granting.compareAndDelete!('slot', 'ticket'))).toBeInstanceOf(
        GuardStorageUnavailableError,
      );
      const other = storage.current!();
      await other.set('slot', 'another ticket');
      faulty.fault = 'none';
      await jest.advanceTimersByTimeAsync(1000);
      expect(await granting.compareAndDelete!('slot', 'ticket')).toBe(true);
      expect(await memory.get('slot')).toBe('another ticket');
      expect(await other.compareAndDelete!('slot', 'another ticket')).toBe(true);
    });

    it('finds out by itself that the store is down, and that it is back', async () => {
      const { faulty, memory, storage, lines } = setUp('memory');
      faulty.fault = 'fails';
      await failureOf(storage.current!().get('k'));
      expect(storage.current!()).toBe(memory);
      faulty.fault = 'none';
      await jest.advanceTimersByTimeAsync(1000);
      expect(storage.current!()).not.toBe(memory);
      expect(lines).toEqual([DOWN.memory, BACK]);
    });
  });
});

describe('withFallback', () => {
  useFakeTimers();

  it.each([
    [{ fallback: 'memroy' }, 'fallback must be "error" or "memory", got "memroy"'],
    [{ fallback: 'error', probeIntervalMs: 0 }, 'probeIntervalMs must be between 1 and'],
  ])('refuses %p', (options, message) => {
    const wrap = (): StorageAdapter => withFallback(createMemoryStorage(), options as never);
    expect(wrap).toThrow(GuardConfigError);
    expect(wrap).toThrow(message);
  });

  it('tells the logger why the store is down', async () => {
    const faulty = createFaultyStorage();
    const logger = { info: jest.fn(), warn: jest.fn() };
    const storage = withFallback(faulty.storage, { fallback: 'error', logger });
    faulty.fault = 'fails';
    const failure = await failureOf(storage.get('k'));
    expect(logger.warn.mock.calls).toEqual([[expect.any(String), failure]]);
  });

  it('probes as often as it is told', async () => {
    const faulty = createFaultyStorage();
    const storage = withFallback(faulty.storage, {
      fallback: 'error',
      logger: createTestLogger(),
      probeIntervalMs: 50,
    });
    faulty.fault = 'fails';
    await failureOf(storage.get('k'));
    await failureOf(storage.get('k'));
    await jest.advanceTimersByTimeAsync(50);
    expect(faulty.calls).toEqual(['get', 'connect']);
  });

  it.each(['error', 'memory'] as const)(
    'with fallback %s leads on to the store that a store underneath uses now',
    async (fallback) => {
      const { faulty, memory, storage: inner } = setUp('memory');
      const logger = createTestLogger();
      const storage = withFallback(inner, { fallback, logger });
      const former = storage.current!();
      expect(storage.current!()).toBe(former);
      faulty.fault = 'fails';
      expect(await storage.incr('k')).toBe(1);
      const granting = storage.current!();
      expect(granting).not.toBe(former);
      faulty.fault = 'none';
      await jest.advanceTimersByTimeAsync(1000);
      await storage.get('k');
      await jest.advanceTimersByTimeAsync(1000);
      expect(storage.current!()).toBe(former);
      expect(await granting.incr('k')).toBe(2);
      expect(await memory.get('k')).toBe('2');
      expect(await faulty.backend.get('k')).toBeNull();
      expect(logger.lines).toEqual([]);
    },
  );

  it('counts a failure of the store underneath that is used now', async () => {
    const faulty = createFaultyStorage();
    const inner = Object.assign(createFaultyStorage().storage, { current: () => faulty.storage });
    const storage = withFallback(inner, { fallback: 'error', logger: createTestLogger() });
    faulty.fault = 'fails';
    await failureOf(storage.current!().get('k'));
    expect(await failureOf(storage.get('k'))).toMatchObject({
      message: `Storage is down: get was not sent ${LINK}`,
    });
  });

  it.each(['error', 'memory'] as const)(
    'takes no harm of a logger that throws, with fallback %s',
    async (fallback) => {
      const faulty = createFaultyStorage();
      const fail = (): never => {
        throw new Error('Logger is broken');
      };
      const logger = { info: jest.fn(fail), warn: jest.fn(fail) };
      const storage = withFallback(faulty.storage, { fallback, logger });
      faulty.fault = 'fails';
      const isOutage = (told: unknown): boolean => told instanceof GuardStorageUnavailableError;
      for (let call = 0; call < 2; call++) {
        expect(isOutage(await failureOf(storage.get('k')))).toBe(fallback === 'error');
      }
      faulty.fault = 'none';
      await jest.advanceTimersByTimeAsync(1000);
      expect(await storage.incr('k')).toBe(1);
      expect(await faulty.backend.get('k')).toBe('1');
      expect([logger.warn.mock.calls.length, logger.info.mock.calls.length]).toEqual([1, 1]);
    },
  );
});
