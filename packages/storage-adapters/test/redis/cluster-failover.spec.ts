import type { StorageAdapter } from '@frontmcp/guard-core';
import { startRedisCluster, type RedisCluster } from '@frontmcp/guard-services';
import { addOperation } from '@frontmcp/guard-storage-conformance';

import { connectStorage } from '../../src/index.js';
import { createTestLogger } from '../test-logger.js';
import { until } from '../until.js';
import { libraries, openThrough, type LibraryName } from './libraries.js';

const names = Object.keys(libraries) as LibraryName[];

let cluster: RedisCluster;
let storages: readonly StorageAdapter[] = [];

beforeAll(async () => {
  cluster = await startRedisCluster();
}, 30_000);
afterAll(async () => {
  for (const node of cluster.nodes) node.resume();
  await Promise.all(storages.map((storage) => storage.disconnect()));
  await cluster.stop();
});

const add = (storage: StorageAdapter, key: string): Promise<boolean> =>
  storage.execute!(addOperation, key, { amount: 1, max: 1_000_000, ttlMs: 60_000 }).then(
    () => true,
    () => false,
  );

/** Resolves to the libraries through which no call has got to where it had to. */
async function untilAdded(key: string): Promise<LibraryName[]> {
  const outcomes = await Promise.allSettled(
    storages.map((storage) => until(() => add(storage, key))),
  );
  return names.filter((_, index) => outcomes[index]?.status === 'rejected');
}

test('a master that hangs is done without once a replica has its place, through every client', async () => {
  const logger = createTestLogger();
  const nodes = [...cluster.seeds];
  storages = await Promise.all(
    names.map(async (library) =>
      connectStorage(await openThrough(library, { cluster: { nodes } }, logger), {
        fallback: 'error',
        logger,
      }),
    ),
  );
  expect(await untilAdded('a')).toEqual([]);
  const master = await cluster.nodeOfSlot(await cluster.slotOf('a'));
  const before = storages.map((storage) => storage.partOf?.('a'));
  expect(new Set(before)).toEqual(new Set([`${master.host}:${master.port}`]));
  master.pause();
  expect(await untilAdded('a')).toEqual([]);
  const after = storages.map((storage) => storage.partOf?.('a'));
  expect(after).toEqual(after.map(() => expect.not.stringContaining(before[0]!) as string));
}, 60_000);
