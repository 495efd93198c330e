import { createTestLogger } from '../../test/test-logger.js';
import { createStorage } from '../create-storage/create-storage.js';
import { createCloudflareKvStorage } from './create-cloudflare-kv-storage.js';

/**
 * KV as it is with its limit, and with failures on demand, which the local one has not: a second write of a key within a second
 * is refused.
 */
function createStrictKv() {
  const values = new Map<string, { value: string; metadata: unknown }>();
  const writtenAt = new Map<string, number>();
  const kv = {
    values,
    writes: [] as string[],
    fails: false,
    getWithMetadata: async (name: string) => values.get(name) ?? { value: null, metadata: null },
    put: async (name: string, value: string, { metadata }: { metadata: unknown }) => {
      write(name, value);
      values.set(name, { value, metadata });
    },
    delete: async (name: string) => {
      write(name, 'deleted');
      values.delete(name);
    },
    list: async () => ({
      keys: Array.from(values, ([name, { metadata }]) => ({ name, metadata })),
      list_complete: true,
    }),
  };
  function write(name: string, what: string): void {
    if (kv.fails) throw new Error('KV PUT failed: 500');
    const sinceMs = Date.now() - (writtenAt.get(name) ?? 0);
    if (sinceMs < 1000) throw new Error(`KV PUT failed: 429, ${sinceMs} ms after another`);
    writtenAt.set(name, Date.now());
    kv.writes.push(`${name} ${what}`);
  }
  return kv;
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function create() {
  const kv = createStrictKv();
  const logger = createTestLogger();
  const kept: Promise<void>[] = [];
  const waitUntil = (written: Promise<void>): void => void kept.push(written);
  const storage = createCloudflareKvStorage({ namespace: kv }, { logger, waitUntil });
  return { kv, logger, kept, storage };
}

it('counts the second from when KV has answered, which may have made the write only then', async () => {
  const { kv, kept, storage } = create();
  const put = kv.put;
  kv.put = async (...args) => {
    kv.put = put;
    await new Promise((resolve) => setTimeout(resolve, 300));
    return put(...args);
  };
  const first = storage.set('key', '1');
  await jest.advanceTimersByTimeAsync(10);
  await storage.set('key', '2');
  await jest.advanceTimersByTimeAsync(290);
  await first;
  await jest.advanceTimersByTimeAsync(1_300);
  await Promise.all(kept);
  expect(kv.writes).toEqual(['=key 1', '=key 2']);
});

it('may be left for longer than a second where createStorage bounds it', async () => {
  const kv = createStrictKv();
  const put = kv.put;
  kv.put = async (...args) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return put(...args);
  };
  const logger = createTestLogger();
  const config = { type: 'cloudflare-kv', cloudflareKv: { namespace: kv } } as const;
  const storage = await createStorage({ ...config, fallback: 'error' }, { logger });
  const first = storage.set('key', '1');
  await jest.advanceTimersByTimeAsync(10);
  await storage.set('key', '2');
  const left = storage.disconnect();
  await jest.advanceTimersByTimeAsync(2_000);
  await Promise.all([first, left]);
  expect(kv.writes).toEqual(['=key 1', '=key 2']);
});

it('writes the first at once, and the newest of those after it when the second is over', async () => {
  const { kv, kept, storage } = create();
  for (const value of ['1', '2', '3']) await storage.set('key', value);
  expect(kv.writes).toEqual(['=key 1']);
  expect(await storage.get('key')).toBe('3');
  await jest.advanceTimersByTimeAsync(999);
  expect(kv.writes).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(kv.writes).toEqual(['=key 1', '=key 3']);
  expect(kept).toHaveLength(1);
  await kept[0];
});

it('keeps a second between writes for as long as they come', async () => {
  const { kv, logger, storage } = create();
  for (let at = 0; at < 100; at++) {
    await storage.incr('key');
    await jest.advanceTimersByTimeAsync(77);
  }
  await jest.advanceTimersByTimeAsync(2_000);
  expect(kv.writes.length).toBeGreaterThanOrEqual(7);
  expect(kv.values.get('=key')?.value).toBe('100');
  expect(logger.lines).toEqual([]);
});

it('merges a delete like any write, and lists what will be', async () => {
  const { kv, storage } = create();
  await storage.set('a', '1');
  await storage.delete('a');
  expect(await storage.get('a')).toBeNull();
  expect(await storage.keys()).toEqual([]);
  await storage.set('b', '1');
  await storage.delete('b');
  await storage.set('b', '2', { ttlMs: 100 });
  expect(await storage.keys()).toEqual(['b']);
  expect(await storage.keys('x*')).toEqual([]);
  await jest.advanceTimersByTimeAsync(100);
  expect(await storage.keys()).toEqual([]);
  expect(await storage.get('b')).toBeNull();
  await jest.advanceTimersByTimeAsync(1_000);
  expect(kv.writes.filter((each) => each.startsWith('=a'))).toEqual(['=a 1', '=a deleted']);
});

it('asks KV again once a second has passed since a write', async () => {
  const { kv, storage } = create();
  await storage.set('key', 'here');
  kv.values.set('=key', { value: 'elsewhere', metadata: null });
  expect(await storage.get('key')).toBe('here');
  await jest.advanceTimersByTimeAsync(1_000);
  expect(await storage.get('key')).toBe('elsewhere');
});

it('has the next write make one whose timer was dropped with its request', async () => {
  const { kv, storage } = create();
  await storage.set('key', '1');
  await storage.incr('key');
  jest.clearAllTimers();
  await jest.advanceTimersByTimeAsync(5_000);
  expect(kv.writes).toEqual(['=key 1']);
  expect(await storage.get('key')).toBe('2');
  await storage.incr('key');
  expect(kv.writes).toEqual(['=key 1', '=key 3']);
});

it('writes what is due before disconnect ends, also where a timer was dropped', async () => {
  const { kv, storage } = create();
  await storage.set('key', '1');
  await storage.set('key', '2');
  jest.clearAllTimers();
  const disconnected = storage.disconnect();
  await jest.advanceTimersByTimeAsync(1_000);
  await disconnected;
  expect(kv.writes).toEqual(['=key 1', '=key 2']);
});

it('rejects when a write that is waited for fails, and does not remember it', async () => {
  const { kv, storage } = create();
  kv.fails = true;
  await expect(storage.set('key', '1')).rejects.toThrow('Storage call set failed');
  kv.fails = false;
  expect(await storage.get('key')).toBeNull();
  await storage.set('key', '2');
  expect(kv.writes).toEqual(['=key 2']);
});

it('warns when a write that nobody waits for fails, by no more than the start of its key', async () => {
  const { kv, logger, storage } = create();
  const key = 'k'.repeat(100);
  await storage.set(key, '1');
  await storage.set(key, '2');
  kv.fails = true;
  await jest.advanceTimersByTimeAsync(1_000);
  expect(logger.lines).toEqual([
    `warn: A write of key "${'k'.repeat(64)}" to Cloudflare KV is lost`,
  ]);
});

it('remembers no more keys than it must', async () => {
  const { kv, storage } = create();
  const map = jest.spyOn(Map.prototype, 'delete');
  for (let at = 0; at < 1_000; at++) await storage.set(`${at}`, '1');
  await jest.advanceTimersByTimeAsync(2_001);
  map.mockClear();
  await storage.set('one more', '1');
  expect(map).toHaveBeenCalledTimes(1_000);
  expect(kv.writes).toHaveLength(1_001);
  map.mockRestore();
});

it('writes at once, and remembers nothing, with an interval of 0', async () => {
  const kv = createStrictKv();
  const storage = createCloudflareKvStorage({ namespace: kv }, { writeIntervalMs: 0 });
  await storage.set('key', '1');
  kv.values.clear();
  expect(await storage.get('key')).toBeNull();
  await expect(storage.set('key', '2')).rejects.toThrow('Storage call set failed');
});
