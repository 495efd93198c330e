import { GuardStorageUnavailableError, type StorageAdapter } from '@frontmcp/guard-core';
import { startRedisCluster, type ClusterNode, type RedisCluster } from '@frontmcp/guard-services';
import { addOperation } from '@frontmcp/guard-storage-conformance';

import { connectStorage, type StorageFallback } from '../../src/index.js';
import { createTestLogger } from '../test-logger.js';
import { until } from '../until.js';
import { libraries, openThrough, type LibraryName } from './libraries.js';

/** Long enough for several looks at the node. */
const OUTAGE_MS = 2_500;
const names = Object.keys(libraries) as LibraryName[];

let cluster: RedisCluster;
let away: ClusterNode;
/** A key of the node that is away, and one of another. */
let its: string;
let other: string;
const opened: StorageAdapter[] = [];

beforeAll(async () => {
  cluster = await startRedisCluster({ replicasPerMaster: 0 });
  // Else a cluster answers nothing at all once it misses a node.
  await Promise.all(
    cluster.masters.map((node) =>
      node.call('CONFIG', 'SET', 'cluster-require-full-coverage', 'no'),
    ),
  );
  away = await cluster.nodeOfSlot(await cluster.slotOf('a'));
  its = 'a';
  other = 'b';
  expect(await cluster.nodeOfSlot(await cluster.slotOf(other))).not.toBe(away);
}, 30_000);

afterEach(async () => {
  await Promise.all(opened.splice(0).map((storage) => storage.disconnect()));
});

afterAll(() => cluster.stop());

async function open(library: LibraryName, fallback: StorageFallback) {
  const logger = createTestLogger();
  const redis = await openThrough(library, { cluster: { nodes: [...cluster.seeds] } }, logger);
  const storage = await connectStorage(redis, { fallback, timeoutMs: 10_000, logger });
  opened.push(storage);
  return { storage, lines: logger.lines };
}

/** Resolves when the others see the node again. */
async function restart(): Promise<void> {
  await away.restart();
  await cluster.ready();
}

const add = (storage: StorageAdapter, key: string): Promise<unknown> =>
  storage.execute!(addOperation, key, { amount: 1, max: 1_000_000, ttlMs: 60_000 });

test.each(names)('the part of a key is the node that has it, through %s', async (library) => {
  const { storage } = await open(library, 'error');
  for (const key of ['', 'a', 'b', 'c{a}d', '{}', 'mcp:guard:list:user:1:rl', 'ключ', '🔑']) {
    const { host, port } = await cluster.nodeOfSlot(await cluster.slotOf(key));
    expect([key, storage.partOf?.(key)]).toEqual([key, `${host}:${port}`]);
  }
});

describe.each(names)('a node that is away, through %s', (library) => {
  test('fails the calls about its own keys, and no other, until it answers', async () => {
    const { storage, lines } = await open(library, 'error');
    await add(storage, its);
    await add(storage, other);
    await away.kill();
    const endMs = performance.now() + OUTAGE_MS;
    while (performance.now() < endMs) {
      await expect(add(storage, its)).rejects.toBeInstanceOf(GuardStorageUnavailableError);
      await add(storage, other);
    }
    await expect(add(storage, its)).rejects.toThrow('Storage is down');
    expect(lines).toHaveLength(1);
    await restart();
    await until(() =>
      add(storage, its).then(
        () => true,
        () => false,
      ),
    );
    const part = `Part ${storage.partOf!(its)} of the storage`;
    expect(lines).toEqual([
      `warn: ${part} is down: calls fail until it answers`,
      `info: ${part} answers again: calls go to it`,
    ]);
  }, 20_000);

  test('has all calls counted in memory until it answers, where memory is what to fall back to', async () => {
    const { storage, lines } = await open(library, 'memory');
    await add(storage, its);
    const { epoch } = storage;
    await away.kill();
    await add(storage, its);
    const down = storage.epoch;
    expect(down).not.toBe(epoch);
    const endMs = performance.now() + OUTAGE_MS;
    while (performance.now() < endMs) {
      await Promise.all([add(storage, its), add(storage, other)]);
      // Memory answers without a turn of the event loop, in which the node is looked after.
      await new Promise(setImmediate);
      expect(storage.epoch).toBe(down);
    }
    await restart();
    await until(async () => {
      await add(storage, other);
      return storage.epoch !== down;
    });
    expect(lines).toEqual([
      'warn: Storage is down: until it answers, each instance counts in its own memory',
      'info: Storage answers again: calls go to it',
    ]);
  }, 20_000);
});
