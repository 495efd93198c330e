import { freePort } from '../process/free-port.ts';
import { launchRedis } from '../redis/launch-redis.ts';
import { startAll } from '../redis/start-all.ts';
import { onFreePort } from '../redis/start-redis.ts';
import { formCluster, untilReady, type Member } from './form-cluster.ts';
import type { RedisCluster } from './redis-cluster.ts';
import { createSlotMoves } from './slot-moves.ts';

export interface ClusterOptions {
  /** Default 3, the fewest that can agree on a failover. */
  readonly masters?: number;
  /** Default 1. */
  readonly replicasPerMaster?: 0 | 1;
}

const config = {
  'cluster-enabled': 'yes',
  'cluster-node-timeout': '1000',
  'cluster-announce-ip': '127.0.0.1',
  // A replica that has just lost its master's connection may take its place at once.
  'cluster-replica-validity-factor': '0',
  'repl-diskless-sync-delay': '0',
};

/**
 * Starts a cluster; resolves when every node serves and every replica is in sync, which takes a
 * little more than the two seconds that Redis makes a new cluster wait.
 */
export async function startRedisCluster(options: ClusterOptions = {}): Promise<RedisCluster> {
  const { masters = 3, replicasPerMaster = 1 } = options;
  const count = masters * (1 + replicasPerMaster);
  const members = await startAll(Array.from({ length: count }, () => startMember));
  const stopAll = async (): Promise<void> => {
    await Promise.all(members.map(({ server }) => server.stop()));
  };
  try {
    const nodes = await formCluster(members, masters);
    const slotMoves = createSlotMoves(nodes);
    let stopping: Promise<void> | undefined;
    return {
      nodes,
      masters: nodes.slice(0, masters),
      seeds: nodes.map(({ host, port }) => ({ host, port })),
      slotOf: async (key) =>
        Number(await Promise.any(nodes.map((node) => node.call('CLUSTER', 'KEYSLOT', key)))),
      ...slotMoves,
      ready: () => untilReady(nodes.filter(({ running }) => running)),
      stop: () => (stopping ??= stopAll()),
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

function startMember(): Promise<Member> {
  return onFreePort(async (port) => {
    const busPort = await freePort();
    const server = await launchRedis({
      port,
      config: { ...config, 'cluster-port': String(busPort) },
    });
    return { server, busPort };
  });
}
