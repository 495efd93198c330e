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

interface Opened {
  readonly library: LibraryName;
  readonly storage: StorageAdapter;
  /** What its storage logs. */
  readonly lines: readonly string[];
}

/** A storage through each client library. */
function openAll(fallback: StorageFallback): Promise<Opened[]> {
  return Promise.all(
    names.map(async (library) => {
      const logger = createTestLogger();
      const redis = await openThrough(library, { cluster: { nodes: [...cluster.seeds] } }, logger);
      const storage = await connectStorage(redis, { fallback, timeoutMs: 10_000, logger });
      opened.push(storage);
      return { library, storage, lines: logger.lines };
    }),
  );
}

/** Resolves when the others see the node again. */
async function restart(): Promise<void> {
  await away.restart();
  await cluster.ready();
}

const add = (storage: StorageAdapter, key: string): Promise<unknown> =>
  storage.execute!(addOperation, key, { amount: 1, max: 1_000_000, ttlMs: 60_000 });

/** What each library has of something, by its name. */
const ofEach = <T>(all: readonly Opened[], read: (one: Opened) => T): Record<string, T> =>
  Object.fromEntries(all.map((one) => [one.library, read(one)]));
const forAll = (all: readonly Opened[], run: (one: Opened) => Promise<unknown>): Promise<unknown> =>
  Promise.all(all.map(run));

test('the part of a key is the node that has it', async () => {
  const all = await openAll('error');
  for (const key of ['', 'a', 'b', 'c{a}d', '{}', 'mcp:guard:list:user:1:rl', 'ключ', '🔑']) {
    const { host, port } = await cluster.nodeOfSlot(await cluster.slotOf(key));
    const parts = ofEach(all, ({ storage }) => storage.partOf?.(key));
    expect({ key, parts }).toEqual({ key, parts: ofEach(all, () => `${host}:${port}`) });
  }
});

describe('a node that is away', () => {
  test('fails the calls about its own keys, and no other, until it answers', async () => {
    const all = await openAll('error');
    await forAll(all, async ({ storage }) => {
      await add(storage, its);
      await add(storage, other);
    });
    await away.kill();
    const endMs = performance.now() + OUTAGE_MS;
    await forAll(all, async ({ storage }) => {
      while (performance.now() < endMs) {
        await expect(add(storage, its)).rejects.toBeInstanceOf(GuardStorageUnavailableError);
        await add(storage, other);
      }
      await expect(add(storage, its)).rejects.toThrow('Storage is down');
    });
    expect(ofEach(all, ({ lines }) => lines.length)).toEqual(ofEach(all, () => 1));
    await restart();
    const isUp = (storage: StorageAdapter): Promise<boolean> =>
      add(storage, its).then(
        () => true,
        () => false,
      );
    await forAll(all, ({ storage }) => until(() => isUp(storage)));
    const part = `Part ${away.host}:${away.port} of the storage`;
    const said = [
      `warn: ${part} is down: calls fail until it answers`,
      `info: ${part} answers again: calls go to it`,
    ];
    expect(ofEach(all, ({ lines }) => lines)).toEqual(ofEach(all, () => said));
  }, 30_000);

  test('has all calls counted in memory until it answers, where memory is what to fall back to', async () => {
    const all = await openAll('memory');
    await forAll(all, ({ storage }) => add(storage, its));
    const before = ofEach(all, ({ storage }) => storage.epoch);
    await away.kill();
    await forAll(all, ({ storage }) => add(storage, its));
    const down = ofEach(all, ({ storage }) => storage.epoch);
    for (const { library } of all) expect(down[library]).not.toBe(before[library]);
    const endMs = performance.now() + OUTAGE_MS;
    while (performance.now() < endMs) {
      await forAll(all, async ({ storage }) => {
        await Promise.all([add(storage, its), add(storage, other)]);
      });
      // Memory answers without a turn of the event loop, in which the node is looked after.
      await new Promise(setImmediate);
      expect(ofEach(all, ({ storage }) => storage.epoch)).toEqual(down);
    }
    await restart();
    await forAll(all, ({ library, storage }) =>
      until(async () => {
        await add(storage, other);
        return storage.epoch !== down[library];
      }),
    );
    const said = [
      'warn: Storage is down: until it answers, each instance counts in its own memory',
      'info: Storage answers again: calls go to it',
    ];
    expect(ofEach(all, ({ lines }) => lines)).toEqual(ofEach(all, () => said));
  }, 30_000);
});
