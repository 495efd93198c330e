import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { createGuardManager } from '@frontmcp/guard';
import { startRedis, startRedisCluster, type RedisServer } from '@frontmcp/guard-services';

import { TEN_YEARS_MS } from './ten-years.ts';

const README = resolve(__dirname, '../../../packages/storage-adapters/README.md');
const RULES = /ACL SETUSER guard (.+)/.exec(readFileSync(README, 'utf8'))?.[1]?.split(' ') ?? [];
const CREDENTIALS = { username: 'guard', password: 'secret' };

/** Meets every limit, has a call wait and be handed its slot, and one that is refused give back. */
async function meetEveryLimit(redis: object): Promise<unknown[]> {
  const guard = await createGuardManager({
    config: {
      enabled: true,
      storage: { type: 'redis', redis, fallback: 'error', timeoutMs: 30_000 },
      global: { maxRequests: 9, windowMs: TEN_YEARS_MS },
      globalConcurrency: { maxConcurrent: 9 },
      defaultRateLimit: { maxRequests: 3, windowMs: TEN_YEARS_MS },
      defaultConcurrency: { maxConcurrent: 1, queueTimeoutMs: 20_000 },
    },
  });
  const concurrency = { maxConcurrent: 1, queueTimeoutMs: 10 };
  const codeOf = ({ code }: { code: string }): string => code;
  const work = async (): Promise<string> => {
    await guard.run('tool', { concurrency }, () => 'never').catch(codeOf);
    return 'done';
  };
  const calls = [1, 2].map(() => guard.run('tool', {}, work));
  const answers: unknown[] = await Promise.all(calls);
  answers.push(await guard.run('tool', {}, () => 'done'));
  answers.push(await guard.run('tool', {}, () => 'never').catch(codeOf));
  await guard.destroy();
  return answers;
}

const ANSWERS = ['done', 'done', 'done', 'RATE_LIMIT_EXCEEDED'];

async function refusalsOf(server: RedisServer): Promise<unknown[]> {
  const log = (await server.call('ACL', 'LOG')) as unknown[][];
  // A cluster's client names its connections, and goes on without.
  const refused = log.map((entry) => entry[entry.indexOf('object') + 1]);
  return refused.filter((command) => command !== 'client|setname');
}

test('the ACL of the README is enough for a manager on one server', async () => {
  const server = await startRedis();
  try {
    await server.call('ACL', 'SETUSER', 'guard', 'resetchannels', ...RULES);
    const config = { host: '127.0.0.1', port: server.port, ...CREDENTIALS };
    expect(await meetEveryLimit({ config })).toEqual(ANSWERS);
    expect(await refusalsOf(server)).toEqual([]);
  } finally {
    await server.stop();
  }
});

test('the ACL of the README is enough for a manager on a cluster', async () => {
  const cluster = await startRedisCluster({ replicasPerMaster: 0 });
  try {
    for (const node of cluster.masters) {
      await node.call('ACL', 'SETUSER', 'guard', 'resetchannels', ...RULES);
    }
    const nodes = [...cluster.seeds];
    expect(await meetEveryLimit({ cluster: { nodes, redisOptions: CREDENTIALS } })).toEqual(
      ANSWERS,
    );
    const refused = await Promise.all(cluster.masters.map(refusalsOf));
    expect(refused.flat()).toEqual([]);
  } finally {
    await cluster.stop();
  }
}, 30_000);
