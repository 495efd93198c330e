import { until } from '../process/until.ts';
import { loopback } from '../process/free-port.ts';
import type { RedisServer } from '../redis/redis-server.ts';
import type { ClusterNode } from './redis-cluster.ts';
import { readNodes, type NodeView } from './read-nodes.ts';

const slotCount = 16_384;

/** A server with the port of its cluster bus. */
export interface Member {
  readonly server: RedisServer;
  readonly busPort: number;
}

/**
 * Makes a cluster of servers that belong to none: the first `masters` of them share the slots, the
 * others become replicas of one after the other. Resolves when all agree.
 */
export async function formCluster(
  members: readonly Member[],
  masters: number,
): Promise<ClusterNode[]> {
  const nodes = await Promise.all(
    members.map(async ({ server }, index) => {
      const id = String(await server.call('CLUSTER', 'MYID'));
      const role = index < masters ? ('master' as const) : ('replica' as const);
      return Object.assign(server, { id, role });
    }),
  );
  await Promise.all(nodes.slice(0, masters).map((node, index) => giveSlots(node, index, masters)));
  // Everyone meets everyone: gossip would get there too, but takes its time.
  for (const [index, node] of nodes.entries()) {
    await Promise.all(members.slice(index + 1).map((member) => meet(node, member)));
  }
  const knowsAll = (view: readonly NodeView[]) => nodes.every(({ id }) => isKnown(view, id));
  await until('all nodes know each other', () => allSee(nodes, knowsAll));
  await Promise.all(
    nodes.slice(masters).map((replica, index) => {
      return replica.call('CLUSTER', 'REPLICATE', nodes[index % masters]?.id ?? '');
    }),
  );
  const knowsRoles = (view: readonly NodeView[]) =>
    view.filter(({ flags }) => flags.includes('slave')).length === nodes.length - masters;
  await until('all nodes know the replicas', () => allSee(nodes, knowsRoles));
  await untilReady(nodes);
  return nodes;
}

/** Waits until each of the nodes finds all slots served and, as a replica, its master reachable. */
export async function untilReady(nodes: readonly RedisServer[]): Promise<void> {
  await until('the cluster is ready', async () => {
    const ready = nodes.map(async (node) => {
      const cluster = String(await node.call('CLUSTER', 'INFO'));
      const replication = String(await node.call('INFO', 'replication'));
      return (
        cluster.includes('cluster_state:ok') &&
        cluster.includes(`cluster_slots_ok:${slotCount}`) &&
        (!replication.includes('role:slave') || replication.includes('master_link_status:up'))
      );
    });
    return (await Promise.all(ready)).every(Boolean);
  });
}

/** Whether the view of every node, its CLUSTER NODES, is as it should be. */
export async function allSee(
  nodes: readonly RedisServer[],
  isRight: (view: NodeView[]) => boolean,
): Promise<boolean> {
  const replies = await Promise.all(nodes.map((node) => node.call('CLUSTER', 'NODES')));
  return replies.every((reply) => isRight(readNodes(String(reply))));
}

function isKnown(view: readonly NodeView[], id: string): boolean {
  return view.some((node) => node.id === id && !node.flags.includes('handshake'));
}

async function giveSlots(node: RedisServer, index: number, masters: number): Promise<void> {
  const first = Math.floor((index * slotCount) / masters);
  const last = Math.floor(((index + 1) * slotCount) / masters) - 1;
  await node.call('CLUSTER', 'ADDSLOTSRANGE', String(first), String(last));
  await node.call('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1));
}

function meet(node: RedisServer, { server, busPort }: Member): Promise<unknown> {
  return node.call('CLUSTER', 'MEET', loopback, String(server.port), String(busPort));
}
