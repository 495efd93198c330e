import {
  startRedisCluster,
  startRedisSentinel,
  type RedisCluster,
  type RedisSentinel,
} from '@frontmcp/guard-services';
import type { StorageConfig } from '@frontmcp/guard-storage-adapters';

import { untilWaiting, viewSemaphore, type CommandLine } from './semaphore-view.ts';
import { startGuardProcess, type GuardProcess } from './start-guard-process.ts';
import { until } from './until.ts';

const MAX = 3;
const LEASE_SECONDS = 3;

let processes: GuardProcess[];

afterEach(async () => {
  // Rejects when one of them ended by itself, as it does on an unhandled rejection.
  await Promise.all(processes.map((each) => each.stop()));
});

async function start(storage: StorageConfig): Promise<void> {
  const options = {
    storage: { ...storage, fallback: 'error' },
    leaseSeconds: LEASE_SECONDS,
  } as const;
  processes = await Promise.all([startGuardProcess(options), startGuardProcess(options)]);
}

/**
 * Has callers take turns, and check a rate limit, all the time while `fail` breaks the servers, and a while longer. Then nothing
 * may be left: no slot, no place in the queue.
 *
 * Replication is asynchronous: a failover may lose the last writes, so that more than max may hold until leases end. What has to
 * hold is that everybody is served or told of the storage, and that the limit holds again once leases have ended.
 */
async function underWay(
  key: string,
  fail: () => Promise<void>,
  server: () => Promise<CommandLine>,
): Promise<void> {
  const [first, second] = processes as [GuardProcess, GuardProcess];
  const busy = processes.map((each) => each.keepBusy(key, MAX, 6, 20));
  await until('callers are served', async () => (await second.served()) > 5);
  await fail();
  const before = await Promise.all(processes.map((each) => each.served()));
  await until('callers of both are served again', async () => {
    const [a = 0, b = 0] = await Promise.all(processes.map((each) => each.served()));
    return a > (before[0] ?? 0) + 5 && b > (before[1] ?? 0) + 5;
  });
  await Promise.all(processes.map((each) => each.rest()));
  await Promise.all(busy);
  await until('nobody holds or waits', async () => {
    const view = await viewSemaphore(await server(), key);
    return view.live.length === 0 && view.waiting.length === 0;
  });
  const ids = await Promise.all(processes.map((each) => each.holdMany(key, MAX, 0, MAX + 2)));
  expect(ids.flat()).toHaveLength(MAX);
  expect((await viewSemaphore(await server(), key)).live).toHaveLength(MAX);
  const waiting = second.hold(key, MAX, 20_000);
  const [id = ''] = ids[0] ?? [];
  const [other = ''] = ids[1] ?? [];
  await until('one is given back', async () =>
    id === '' ? second.release(other) : first.release(id),
  );
  expect(await waiting).not.toBeNull();
}

/**
 * Kills the process of the first waiter. Where subscribers may be on another server, silence proves nothing: the hand-over to it
 * lapses after its second.
 */
async function killHead(key: string, server: () => Promise<CommandLine>): Promise<void> {
  const [steady, dead] = processes as [GuardProcess, GuardProcess];
  const held = (await steady.hold(key, 1, 0))!;
  const lost = dead.hold(key, 1, 60_000).catch(() => 'gone');
  await untilWaiting(await server(), key, 1);
  const served = steady.hold(key, 1, 60_000);
  const { waiting } = await untilWaiting(await server(), key, 2);
  processes = [steady];
  await dead.kill();
  expect(await lost).toBe('gone');
  const releasedMs = performance.now();
  expect(await steady.release(held)).toBe(true);
  expect((await viewSemaphore(await server(), key)).live).toEqual([waiting[0]]);
  expect(await served).toBe(waiting[1]);
  expect(performance.now() - releasedMs).toBeGreaterThan(950);
  expect(performance.now() - releasedMs).toBeLessThan(2_200);
  expect(await steady.release(waiting[1]!)).toBe(true);
}

describe('Sentinel', () => {
  let sentinel: RedisSentinel;
  beforeAll(async () => {
    sentinel = await startRedisSentinel();
  }, 30_000);
  afterAll(() => sentinel.stop());

  const config = (): StorageConfig => {
    const sentinels = sentinel.sentinels.map(({ host, port }) => ({ host, port }));
    return { type: 'redis', redis: { sentinel: { name: sentinel.name, sentinels } } };
  };

  test('S-41: a killed process at the head of the queue costs the next one a second', async () => {
    await start(config());
    await killHead('dead', () => sentinel.master());
  }, 30_000);

  test('S-32: a failover serves all that wait, and the limit holds after it', async () => {
    await start(config());
    await underWay(
      'fo',
      () => sentinel.failover(),
      () => sentinel.master(),
    );
    await sentinel.ready();
  }, 60_000);

  test('S-32: a master that is killed is replaced, all that wait are served, and the limit holds after it', async () => {
    await start(config());
    await underWay(
      'km',
      () => sentinel.killMaster(),
      () => sentinel.master(),
    );
  }, 60_000);
});

describe('Cluster', () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  }, 30_000);
  afterAll(() => cluster.stop());

  const config = (): StorageConfig => ({
    type: 'redis',
    redis: { cluster: { nodes: [...cluster.seeds] } },
  });
  const owner = async (key: string) => cluster.nodeOfSlot(await cluster.slotOf(`${key}:sem`));

  test('S-41: a killed process at the head of the queue costs the next one a second', async () => {
    await start(config());
    await killHead('dead', () => owner('dead'));
  }, 30_000);

  test('S-47: a slot that moves, with keys asked for in between, costs nobody a ticket', async () => {
    await start(config());
    const [first, second] = processes as [GuardProcess, GuardProcess];
    const slot = await cluster.slotOf('mv:sem');
    const from = await cluster.nodeOfSlot(slot);
    const to = cluster.masters.find((node) => node !== from)!;
    const held = (await first.hold('mv', MAX, 0))!;
    const busy = processes.map((each) => each.keepBusy('mv', MAX, 6, 20));
    const areServed = async (): Promise<void> => {
      const before = await second.served();
      await until('callers are served', async () => (await second.served()) > before + 5);
    };
    await areServed();
    await cluster.beginMove(slot, to);
    await areServed();
    await cluster.moveKeys(slot);
    // Everything is answered with ASK now, also what sends a script for the first time.
    await areServed();
    await cluster.finishMove(slot);
    await areServed();
    await Promise.all(processes.map((each) => each.rest()));
    await Promise.all(busy);
    expect(await viewSemaphore(to, 'mv')).toEqual({ live: [held], ended: [], waiting: [] });
    expect(await first.believed()).toEqual([held]);
    expect(await first.release(held)).toBe(true);
    expect((await viewSemaphore(to, 'mv')).live).toEqual([]);
    // No caller was told that the storage is away.
    expect(await Promise.all(processes.map((each) => each.log()))).toEqual([[], []]);
  }, 60_000);

  test('S-32: a master that is killed is replaced by its replica, all that wait are served, and the limit holds after it', async () => {
    await start(config());
    const master = await owner('kc');
    const kill = async (): Promise<void> => {
      await master.kill();
      await until('another node serves the slot', async () => {
        const node = await owner('kc').catch(() => undefined);
        return node !== undefined && node !== master;
      });
    };
    await underWay('kc', kill, () => owner('kc'));
  }, 60_000);
});
