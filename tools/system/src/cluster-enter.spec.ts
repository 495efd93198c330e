import { createGuardManager, type GuardManager } from '@frontmcp/guard';
import { startRedisCluster, type RedisCluster } from '@frontmcp/guard-services';

import { TEN_YEARS_MS } from './ten-years.ts';

let cluster: RedisCluster;
const guards: GuardManager[] = [];

beforeAll(async () => {
  cluster = await startRedisCluster({ replicasPerMaster: 0 });
}, 30_000);
afterAll(async () => {
  await Promise.all(guards.map((guard) => guard.destroy()));
  await cluster.stop();
});

async function createGuard(keyPrefix: string): Promise<GuardManager> {
  const guard = await createGuardManager({
    config: {
      enabled: true,
      keyPrefix,
      storage: {
        type: 'redis',
        redis: { cluster: { nodes: [...cluster.seeds] } },
        fallback: 'error',
        timeoutMs: 30_000,
      },
      global: { maxRequests: 1_000, windowMs: TEN_YEARS_MS },
      globalConcurrency: { maxConcurrent: 100 },
      defaultRateLimit: { maxRequests: 3, windowMs: TEN_YEARS_MS, partitionBy: 'userId' },
      defaultConcurrency: { maxConcurrent: 2, partitionBy: 'userId' },
    },
  });
  guards.push(guard);
  return guard;
}

/** How many scripts the nodes run for a piece of work. */
async function scriptsOf(work: () => Promise<unknown>): Promise<number> {
  await Promise.all(cluster.masters.map((node) => node.call('CONFIG', 'RESETSTAT')));
  await work();
  const counts = cluster.masters.map(async (node) => {
    const stats = String(await node.call('INFO', 'commandstats'));
    return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0);
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

const of = (userId: string) => ({ context: { sessionId: userId, userId } });

test('B-40: any identity works on a cluster, whatever its keys hash to', async () => {
  const guard = await createGuard('spread');
  for (const userId of ['a', 'a}b', '{', '{}x}', '', '{a}{b}', ' ', '日本 🎫']) {
    const permit = await guard.enter('tool', of(userId));
    await permit.release();
  }
  await (await guard.enter('warm', of('w'))).release();
  expect(await scriptsOf(() => guard.enter('tool', of('apart')))).toBe(4);
}, 30_000);

test('a refusal gives back what it had taken on other nodes', async () => {
  const guard = await createGuard('back');
  const permits = [await guard.enter('tool', of('u')), await guard.enter('tool', of('u'))];
  const before = await guard.checkGlobalRateLimit(undefined);
  await expect(guard.enter('tool', of('u'))).rejects.toMatchObject({ code: 'CONCURRENCY_LIMIT' });
  await Promise.all(permits.map((permit) => permit.release()));
  await (await guard.enter('tool', of('u'))).release();
  await expect(guard.enter('tool', of('u'))).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  // One for the look itself, one for the call that was let in.
  expect((await guard.checkGlobalRateLimit(undefined)).remaining).toBe(before.remaining - 2);
}, 30_000);

test('with a hash tag in the prefix, all steps of a call are one script on one node', async () => {
  const guard = await createGuard('{guard}');
  await (await guard.enter('warm', of('w'))).release();
  expect(await scriptsOf(() => guard.enter('tool', of('v')))).toBe(1);
}, 30_000);
