import { startRedis, startRedisCluster } from '@frontmcp/guard-services';

import type { Findings, GroupResult, Pace } from './findings.ts';
import { pinServer } from './pin.ts';
import { callGoals, compareCalls } from './redis-call.ts';
import { checkGoals, compareAllChecks } from './redis-checks.ts';
import { compareFleets } from './redis-fleet.ts';
import { compareHandOver, handOverGoals } from './redis-hand-over.ts';
import { compareAllSlots, slotGoals } from './redis-slots.ts';
import { compareAllWaiting, waitingGoals } from './redis-waiting.ts';

/** What Redis is asked for by each contender, over servers of the benchmark's own on loopback. */
export async function benchRedis(pace: Pace): Promise<Findings> {
  const checks = [...(await checksOnOneServer(pace)), ...(await checksOnCluster(pace))];
  const server = await startRedis();
  pinServer(server.pid);
  try {
    const slots = await compareAllSlots(server, pace);
    const calls = await compareCalls(server, pace);
    const handOver = await compareHandOver(server, pace);
    const waiting = await compareAllWaiting(server, pace);
    const fleets = await compareFleets(server, pace);
    return {
      groups: [...checks, ...slots, calls, handOver, ...waiting, ...fleets],
      goals: [
        ...checkGoals(checks),
        ...slotGoals(slots),
        ...callGoals(calls),
        ...handOverGoals(handOver),
        ...waitingGoals(waiting),
      ],
    };
  } finally {
    await server.stop();
  }
}

async function checksOnOneServer(pace: Pace): Promise<GroupResult[]> {
  const server = await startRedis();
  pinServer(server.pid);
  try {
    return await compareAllChecks({ nodes: [addressOf(server)], isCluster: false }, pace);
  } finally {
    await server.stop();
  }
}

async function checksOnCluster(pace: Pace): Promise<GroupResult[]> {
  const cluster = await startRedisCluster({ replicasPerMaster: 0 });
  for (const { pid } of cluster.nodes) pinServer(pid);
  try {
    return await compareAllChecks({ nodes: cluster.seeds, isCluster: true }, pace);
  } finally {
    await cluster.stop();
  }
}

function addressOf({ host, port }: { readonly host: string; readonly port: number }): {
  readonly host: string;
  readonly port: number;
} {
  return { host, port };
}
