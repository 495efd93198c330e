import { GuardStorageUnavailableError, type StorageAdapter } from '@frontmcp/guard-core';

import { add } from '../../test/add-operation.js';
import { createFaultyStorage } from '../../test/faulty-storage.js';
import { createTestLogger } from '../../test/test-logger.js';
import { connectStorage, createMemoryStorage, namespaceStorage, withFallback } from '../index.js';
import type { StorageFallback } from '../storage-fallback.js';

const PROBE_MS = 1_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const firstLetter = (key: string): string | undefined => key.slice(0, 1);

/** A store whose parts are known by the first letter of a key, and of which the part `a` can fail. */
function setUp(
  fallback: StorageFallback,
  partOf: (key: string) => string | undefined = firstLetter,
) {
  const logger = createTestLogger();
  const faulty = createFaultyStorage();
  faulty.hits = (args) => args.some((arg) => typeof arg === 'string' && firstLetter(arg) === 'a');
  const inner: StorageAdapter = { ...faulty.storage, partOf: (key) => partOf(key) };
  const storage = withFallback(inner, {
    fallback,
    logger,
    createMemory: createMemoryStorage,
    probeIntervalMs: PROBE_MS,
  });
  return { faulty, inner, storage, logger, lines: logger.lines };
}

const unavailable = (call: Promise<unknown>): Promise<void> =>
  expect(call).rejects.toBeInstanceOf(GuardStorageUnavailableError);

const DOWN = 'warn: Part a of the storage is down: calls fail until it answers';
const BACK = 'info: Part a of the storage answers again: calls go to it';

describe('a part that fails', () => {
  it('fails calls about its own keys at once, and no others', async () => {
    const { faulty, storage, lines } = setUp('error');
    faulty.fault = 'fails';
    await unavailable(storage.get('a1'));
    await expect(storage.get('a2')).rejects.toThrow('Storage is down: get was not sent');
    await expect(storage.get('a2')).rejects.toMatchObject({
      wasSent: false,
      cause: { cause: faulty.error },
    });
    expect(await storage.set('b1', 'v')).toBe(true);
    expect(await storage.get('b1')).toBe('v');
    expect(faulty.calls).toEqual(['get', 'set', 'get']);
    expect(lines).toEqual([DOWN]);
  });

  it('is down with the first of its calls that fails, whatever else failed since that was sent', async () => {
    const { faulty, storage } = setUp('error');
    faulty.hits = () => true;
    faulty.fault = 'hangs';
    const sent = ['a1', 'b1', 'c1'].map((key) => unavailable(storage.get(key)));
    faulty.answer('failure');
    await Promise.all(sent);
    for (const key of ['a2', 'b2', 'c2']) {
      await expect(storage.get(key)).rejects.toThrow('was not sent');
    }
  });

  it('is not down for a call that was sent before it last came back, whatever changed since', async () => {
    const { faulty, storage, lines } = setUp('error');
    faulty.fault = 'hangs';
    const late = unavailable(storage.get('a0'));
    faulty.fault = 'fails';
    await unavailable(storage.get('a1'));
    await unavailable(storage.get('a1'));
    faulty.fault = 'none';
    await jest.advanceTimersByTimeAsync(PROBE_MS);
    faulty.answer('failure');
    await late;
    expect(await storage.get('a1')).toBeNull();
    expect(lines).toEqual([DOWN, BACK]);
  });

  it('is asked about a key of its own, while calls about it come, and used again once it answers', async () => {
    const { faulty, storage, lines } = setUp('error');
    faulty.fault = 'fails';
    await unavailable(storage.get('a1'));
    await unavailable(storage.get('a1'));
    await jest.advanceTimersByTimeAsync(PROBE_MS);
    expect(faulty.calls).toEqual(['get', 'connect', 'get']);
    await unavailable(storage.get('a1'));
    faulty.fault = 'none';
    await jest.advanceTimersByTimeAsync(PROBE_MS);
    expect(lines).toEqual([DOWN, BACK]);
    expect(await storage.get('a1')).toBeNull();
    expect(faulty.calls).toEqual(['get', 'connect', 'get', 'connect', 'get', 'get']);
  });

  it('costs nothing while nobody asks for its keys', async () => {
    const { faulty, storage } = setUp('error');
    faulty.fault = 'fails';
    await unavailable(storage.get('a1'));
    await storage.get('b1');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is back when it answers that the key holds something else than a value', async () => {
    const { faulty, storage } = setUp('error');
    await storage.execute!(add, 'a1', {});
    faulty.fault = 'fails';
    await unavailable(storage.execute!(add, 'a1', {}));
    faulty.fault = 'none';
    await jest.advanceTimersByTimeAsync(PROBE_MS);
    expect(await storage.execute!(add, 'a1', {})).toBe(2);
  });

  it('is over when another part holds its key', async () => {
    let moved = false;
    const { faulty, storage, lines } = setUp('error', (key) =>
      moved && key === 'a1' ? 'b' : firstLetter(key),
    );
    faulty.fault = 'fails';
    await unavailable(storage.get('a1'));
    moved = true;
    faulty.fault = 'none';
    expect(await storage.get('a1')).toBeNull();
    expect(lines).toEqual([DOWN, BACK]);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(faulty.calls).toEqual(['get', 'get']);
  });

  it('is not over when it is not known any more which part holds its key', async () => {
    let known = true;
    const { faulty, storage, lines } = setUp('error', (key) =>
      known ? firstLetter(key) : undefined,
    );
    faulty.fault = 'fails';
    await unavailable(storage.get('a1'));
    known = false;
    await storage.get('b1');
    known = true;
    await expect(storage.get('a1')).rejects.toThrow('was not sent');
    expect(lines).toEqual([DOWN]);
  });

  it('is told from one of which it is not known where it is', async () => {
    const { faulty, storage, lines } = setUp('error', (key) =>
      key === 'a?' ? undefined : firstLetter(key),
    );
    faulty.fault = 'fails';
    await unavailable(storage.get('a?'));
    await expect(storage.get('a?')).rejects.toThrow('was not sent');
    await expect(storage.get('a1')).rejects.toThrow('failed');
    expect(lines).toEqual(['warn: Storage is down: calls fail until it answers', DOWN]);
    faulty.fault = 'none';
    await jest.advanceTimersByTimeAsync(PROBE_MS);
    expect(await storage.get('a?')).toBeNull();
  });

  it('is up again though subscriptions, which may be elsewhere, cannot be made again', async () => {
    const { faulty, storage } = setUp('error');
    await storage.subscribe('a channel', () => undefined);
    faulty.hits = ([name]) => name === 'a1';
    faulty.fault = 'fails';
    await unavailable(storage.get('a1'));
    await unavailable(storage.get('a1'));
    faulty.hits = ([name]) => name === 'a channel';
    await jest.advanceTimersByTimeAsync(PROBE_MS);
    expect(await storage.get('a1')).toBeNull();
  });

  it('does not have a call about several parts refused, nor is one down for it', async () => {
    const { faulty, storage } = setUp('error');
    faulty.fault = 'fails';
    await unavailable(storage.get('a1'));
    expect(await storage.mget(['b1', 'a1'])).toEqual([null, null]);
    faulty.hits = () => true;
    await unavailable(storage.mget(['b1', 'c1']));
    await unavailable(storage.keys());
    await unavailable(storage.mset([{ key: 'b1', value: 'v' }]));
    await unavailable(storage.mdelete(['b1']));
    await unavailable(storage.mget(['b1', 'c1']));
    expect(faulty.calls).toEqual(['get', 'mget', 'mget', 'keys', 'mset', 'mdelete', 'mget']);
    faulty.hits = () => false;
    expect(await storage.get('b1')).toBeNull();
  });

  it('leaves it to the store to refuse what is no key', async () => {
    const { faulty, storage } = setUp('error');
    faulty.fault = 'fails';
    await unavailable(storage.get('a1'));
    const noKey = 42 as unknown as string;
    await expect(storage.get(noKey)).rejects.toThrow(TypeError);
    await expect(storage.execute!(add, noKey, {})).rejects.toThrow(TypeError);
    const together = storage.executeTogether!([{ operation: add, key: noKey, args: {} }]);
    await expect(together).rejects.toThrow(TypeError);
  });

  it('is forgotten by disconnect', async () => {
    const { faulty, storage, lines } = setUp('error');
    faulty.fault = 'fails';
    await unavailable(storage.get('a1'));
    await unavailable(storage.get('a1'));
    faulty.fault = 'none';
    await storage.disconnect();
    expect(jest.getTimerCount()).toBe(0);
    await storage.connect();
    expect(await storage.get('a1')).toBeNull();
    expect(lines).toEqual([DOWN]);
  });

  it.each<[name: string, call: (storage: StorageAdapter, key: string) => Promise<unknown>]>([
    ['get', (storage, key) => storage.get(key)],
    ['set', (storage, key) => storage.set(key, 'v')],
    ['delete', (storage, key) => storage.delete(key)],
    ['exists', (storage, key) => storage.exists(key)],
    ['expire', (storage, key) => storage.expire(key, 1)],
    ['ttl', (storage, key) => storage.ttl(key)],
    ['incr', (storage, key) => storage.incr(key)],
    ['decr', (storage, key) => storage.decr(key)],
    ['incrBy', (storage, key) => storage.incrBy(key, 2)],
    ['publish', (storage, key) => storage.publish(key, 'm')],
    ['compareAndDelete', (storage, key) => storage.compareAndDelete!(key, 'v')],
    ['compareAndExpire', (storage, key) => storage.compareAndExpire!(key, 'v', 1)],
    ['execute', (storage, key) => storage.execute!(add, key, {})],
    [
      'executeTogether',
      (storage, key) => storage.executeTogether!([{ operation: add, key, args: {} }]),
    ],
    ['a prepared operation', (storage, key) => storage.prepare!(add, 'kind')(key, {})],
    [
      'a prepared operation with a prefix',
      (storage, key) => storage.prepare!(add, 'kind', `${key}:`)('x', {}),
    ],
  ])('is told by the key of %s', async (_, call) => {
    const { faulty, storage } = setUp('error');
    faulty.fault = 'fails';
    await unavailable(storage.get('a0'));
    await expect(call(storage, 'a1')).rejects.toThrow('was not sent');
    await call(storage, 'b1');
  });
});

describe('with memory to fall back to', () => {
  it('a part that fails has all calls served by memory, until it answers itself', async () => {
    const { faulty, storage, lines } = setUp('memory');
    faulty.fault = 'fails';
    expect(await storage.incr('a1')).toBe(1);
    expect(await storage.incr('b1')).toBe(1);
    expect(faulty.calls).toEqual(['incr']);
    await jest.advanceTimersByTimeAsync(PROBE_MS);
    // The store answers a ping, and not for the key.
    expect(await storage.ping()).toBe(true);
    expect(await storage.incr('b1')).toBe(2);
    const epoch = storage.epoch;
    faulty.fault = 'none';
    await jest.advanceTimersByTimeAsync(PROBE_MS);
    expect(storage.epoch).toBe(Number(epoch) + 1);
    expect(await storage.incr('b1')).toBe(1);
    expect(lines).toEqual([
      'warn: Storage is down: until it answers, each instance counts in its own memory',
      'info: Storage answers again: calls go to it',
    ]);
  });
});

describe('what stands around a store', () => {
  it('knows its parts, by the keys that it gives the store', async () => {
    const { inner, storage, logger } = setUp('error');
    expect(storage.partOf?.('a1')).toBe('a');
    const connected = await connectStorage(inner, { fallback: 'error', keepOpen: true, logger });
    expect(connected.partOf?.('b1')).toBe('b');
    await connected.disconnect();
    expect(namespaceStorage(inner, 'n').partOf?.('a1')).toBe('n');
  });

  it('has none where the store has none', () => {
    const storage = withFallback(createFaultyStorage().storage, { fallback: 'error' });
    expect(storage.partOf).toBeUndefined();
    expect(namespaceStorage(storage, 'n').partOf).toBeUndefined();
  });
});
