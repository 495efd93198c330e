import { DistributedSemaphore } from '@frontmcp/guard';
import { startRedisCluster, type RedisCluster } from '@frontmcp/guard-services';
import { createStorage } from '@frontmcp/guard-storage-adapters';

let cluster: RedisCluster;
beforeAll(async () => {
  cluster = await startRedisCluster({ replicasPerMaster: 0 });
});
afterAll(() => cluster.stop());

test.each(['plain', '', '{', '}', '{}', '{a}b', 'a}b{c', '{{x}}', ' ', 'nul\0', '日本 🎫'])(
  'S-47: on a cluster the slot of the key %j goes from one process to the next, and nothing is left of it',
  async (key) => {
    const redis = { cluster: { nodes: [...cluster.seeds] } };
    const stores = await Promise.all(
      [0, 1].map(() =>
        createStorage({ type: 'redis', redis, fallback: 'error', timeoutMs: 30_000 }),
      ),
    );
    const [one, other] = stores.map((storage) => new DistributedSemaphore(storage, 30)) as [
      DistributedSemaphore,
      DistributedSemaphore,
    ];
    const held = await one.acquire(key, 1, 0, 'holder');
    expect(await other.acquire(key, 1, 0, 'refused')).toBeNull();
    const waiting = other.acquire(key, 1, 20_000, 'waiter');
    while ((await one.inspect(key)).queueLength === 0);
    expect(await held!.release()).toBe(true);
    const ticket = await waiting;
    expect(await one.getActiveCount(key)).toBe(1);
    expect(await ticket!.release()).toBe(true);
    const slot = await cluster.slotOf(`${key}:sem`);
    const node = await cluster.nodeOfSlot(slot);
    expect(await node.call('EXISTS', `${key}:sem`)).toBe(0);
    await Promise.all([one.destroy(), other.destroy()]);
    await Promise.all(stores.map((storage) => storage.disconnect()));
  },
);
