import { until } from '../process/until.ts';
import { allSee } from './form-cluster.ts';
import { holdsSlot, readNodes } from './read-nodes.ts';
import type { ClusterNode, RedisCluster } from './redis-cluster.ts';

interface Move {
  readonly from: ClusterNode;
  readonly to: ClusterNode;
}

const batch = 100;
const migrateTimeoutMs = 5_000;

type SlotMoves = Pick<
  RedisCluster,
  'nodeOfSlot' | 'beginMove' | 'moveKeys' | 'finishMove' | 'moveSlot'
>;

export function createSlotMoves(nodes: readonly ClusterNode[]): SlotMoves {
  const moves = new Map<number, Move>();

  const nodeOfSlot = async (slot: number): Promise<ClusterNode> => {
    const owner = async (node: ClusterNode): Promise<ClusterNode> => {
      const view = readNodes(String(await node.call('CLUSTER', 'NODES')));
      const myself = view.find(({ flags }) => flags.includes('myself'));
      if (myself !== undefined && holdsSlot(myself, slot)) return node;
      throw new Error(`Cannot find slot ${slot} on port ${node.port}`);
    };
    return Promise.any(nodes.map(owner)).catch((cause: unknown) => {
      throw new Error(`Cannot find a running master of slot ${slot}`, { cause });
    });
  };

  const moveOf = (slot: number): Move => {
    const move = moves.get(slot);
    if (move === undefined) throw new Error(`Cannot move slot ${slot} on: no move has begun`);
    return move;
  };

  const beginMove = async (slot: number, to: ClusterNode): Promise<void> => {
    const from = await nodeOfSlot(slot);
    if (from === to) throw new Error(`Cannot move slot ${slot} to port ${to.port}: it is there`);
    await to.call('CLUSTER', 'SETSLOT', String(slot), 'IMPORTING', from.id);
    await from.call('CLUSTER', 'SETSLOT', String(slot), 'MIGRATING', to.id);
    moves.set(slot, { from, to });
  };

  const moveKeys = async (slot: number): Promise<void> => {
    const { from, to } = moveOf(slot);
    const target = [to.host, String(to.port), '', '0', String(migrateTimeoutMs), 'KEYS'];
    for (;;) {
      const keys = await from.call('CLUSTER', 'GETKEYSINSLOT', String(slot), String(batch));
      if (!Array.isArray(keys) || keys.length === 0) return;
      await from.call('MIGRATE', ...target, ...keys.map(String));
    }
  };

  const finishMove = async (slot: number): Promise<void> => {
    const { from, to } = moveOf(slot);
    await moveKeys(slot);
    // The new owner first, so that at no time the slot is nobody's.
    const others = nodes.filter((node) => node !== to && node !== from && node.running);
    for (const node of [to, from, ...others]) {
      const master = await isMaster(node);
      if (master) await node.call('CLUSTER', 'SETSLOT', String(slot), 'NODE', to.id);
    }
    moves.delete(slot);
    await until(`all nodes know of the move of slot ${slot}`, () =>
      allSee(
        nodes.filter(({ running }) => running),
        (view) => view.some((node) => node.id === to.id && holdsSlot(node, slot)),
      ),
    );
  };

  const moveSlot = async (slot: number, to: ClusterNode): Promise<void> => {
    await beginMove(slot, to);
    await finishMove(slot);
  };
  return { nodeOfSlot, beginMove, moveKeys, finishMove, moveSlot };
}

async function isMaster(node: ClusterNode): Promise<boolean> {
  const reply = await node.call('ROLE');
  return Array.isArray(reply) && reply[0] === 'master';
}
