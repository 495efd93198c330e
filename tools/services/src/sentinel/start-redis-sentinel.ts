import { loopback } from '../process/free-port.ts';
import { until } from '../process/until.ts';
import { launchRedis } from '../redis/launch-redis.ts';
import type { RedisServer } from '../redis/redis-server.ts';
import { startAll } from '../redis/start-all.ts';
import { onFreePort, startRedis } from '../redis/start-redis.ts';
import type { RedisSentinel } from './redis-sentinel.ts';
import {
  masterName,
  masterPort,
  untilFollows,
  untilInCharge,
  untilReady,
} from './sentinel-view.ts';

const sentinelCount = 3;
const quorum = 2;
// Shorter, and a sentinel that waits for a processor takes a master for dead that has only just begun.
const downAfterMs = 1_000;
const failoverTimeoutMs = 2_000;
// A failover that was begun and given up is begun again after twice that time.
const patienceMs = 45_000;
// Sentinel's own are 10 s, 2 s and 1 s; a server in the wrong role is corrected after four of
// `publish-period`. A sentinel that is restarted has its own again.
const periodsMs = ['info-period', '200', 'publish-period', '200', 'ask-period', '200'];

/** Starts the five processes; resolves when a failover would succeed, after some two seconds. */
export async function startRedisSentinel(): Promise<RedisSentinel> {
  const servers: RedisServer[] = [];
  const sentinels: RedisServer[] = [];
  const stopAll = async (): Promise<void> => {
    await Promise.all([...sentinels, ...servers].map((server) => server.stop()));
  };
  try {
    const first = await startRedis({ config: { 'repl-diskless-sync-delay': '0' } });
    servers.push(first);
    servers.push(await startReplica(first));
    const start = async () => ({ server: await startSentinel(first.port) });
    const started = await startAll(Array.from({ length: sentinelCount }, () => start));
    sentinels.push(...started.map(({ server }) => server));
    await untilReady(sentinels);
  } catch (error) {
    await stopAll();
    throw error;
  }

  const find = async (isWanted: (isMaster: boolean) => boolean): Promise<RedisServer> => {
    const port = await Promise.any(sentinels.map(masterPort));
    const found = servers.find((server) => isWanted(server.port === port));
    if (found === undefined) throw new Error(`Cannot find the master of port ${port}`);
    return found;
  };
  const master = () => find((isMaster) => isMaster);
  const replica = () => find((isMaster) => !isMaster);
  let stopping: Promise<void> | undefined;
  return {
    name: masterName,
    sentinels,
    master,
    replica,
    failover: async () => {
      const next = await replica();
      // One of them only: each that is told starts a failover of its own.
      const sentinel = sentinels.find(({ running }) => running);
      if (sentinel === undefined) throw new Error('Cannot fail over: no sentinel runs');
      // One that was asked for and given up is not begun again by itself.
      const begin = async (): Promise<boolean> => {
        await sentinel.call('SENTINEL', 'FAILOVER', masterName);
        await untilInCharge(next, sentinels, 4 * failoverTimeoutMs);
        return true;
      };
      await until('a failover succeeds', begin, patienceMs);
    },
    killMaster: async () => {
      const next = await replica();
      await (await master()).kill();
      await untilInCharge(next, sentinels, patienceMs);
    },
    ready: async () => {
      const other = await replica();
      if (!other.running) await other.restart();
      await untilFollows(other, await master());
      await untilReady(sentinels);
    },
    stop: () => (stopping ??= stopAll()),
  };
}

async function startReplica(master: RedisServer): Promise<RedisServer> {
  const config = {
    replicaof: `${loopback} ${master.port}`,
    'repl-diskless-sync-delay': '0',
  };
  const replica = await startRedis({ config });
  await untilFollows(replica, master);
  return replica;
}

async function startSentinel(port: number): Promise<RedisServer> {
  const sentinel = [
    `monitor ${masterName} ${loopback} ${port} ${quorum}`,
    `down-after-milliseconds ${masterName} ${downAfterMs}`,
    `failover-timeout ${masterName} ${failoverTimeoutMs}`,
  ];
  const server = await onFreePort((free) =>
    launchRedis({ port: free, sentinel: true, config: { sentinel } }),
  );
  await server.call('SENTINEL', 'DEBUG', ...periodsMs);
  return server;
}
