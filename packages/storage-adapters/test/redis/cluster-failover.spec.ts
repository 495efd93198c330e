import type { StorageAdapter } from '@frontmcp/guard-core';
import { startRedisCluster, type RedisCluster } from '@frontmcp/guard-services';
import { addOperation } from '@frontmcp/guard-storage-conformance';

import { connectStorage } from '../../src/index.js';
import { createTestLogger } from '../test-logger.js';
import { until } from '../until.js';
import { libraries, openThrough, type LibraryName } from './libraries.js';

const names = Object.keys(libraries) as LibraryName[];

/** A replica takes a second or two to miss its master, and the store one more to look. */
const LONGEST_FAILOVER_MS = 15_000;

let cluster: RedisCluster;
beforeAll(async () => {
  cluster = await startRedisCluster();
}, 30_000);
afterAll(() => cluster.stop());

const add = (storage: StorageAdapter, key: string): Promise<boolean> =>
  storage.execute!(addOperation, key, { amount: 1, max: 1_000_000, ttlMs: 60_000 }).then(
    () => true,
    () => false,
  );

test.each(names)(
  'a master that hangs is done without once a replica has its place, through %s',
  async (library) => {
    const logger = createTestLogger();
    const redis = await openThrough(library, { cluster: { nodes: [...cluster.seeds] } }, logger);
    const storage = await connectStorage(redis, { fallback: 'error', logger });
    try {
      expect(await add(storage, 'a')).toBe(true);
      const master = await cluster.nodeOfSlot(await cluster.slotOf('a'));
      master.pause();
      // One that nobody leaves hangs for ever, and a test that waits for that does not end.
      const endMs = performance.now() + LONGEST_FAILOVER_MS;
      await until(async () => (await add(storage, 'a')) || performance.now() > endMs);
      expect(await add(storage, 'a')).toBe(true);
      expect(storage.partOf?.('a')).not.toBe(`${master.host}:${master.port}`);
      master.resume();
      await until(async () => String(await master.call('ROLE')).startsWith('slave'));
      await cluster.ready();
    } finally {
      for (const node of cluster.nodes) node.resume();
      await storage.disconnect();
    }
  },
  30_000,
);
