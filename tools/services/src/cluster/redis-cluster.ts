import type { RedisServer } from '../redis/redis-server.ts';

export interface ClusterNode extends RedisServer {
  /** What the cluster calls the node; stays over a `restart`. */
  readonly id: string;
  /** The role that the node was given at the start; a failover does not change this. */
  readonly role: 'master' | 'replica';
}

/** A Redis Cluster on 127.0.0.1. Its methods wait for nodes that are paused. */
export interface RedisCluster {
  /** The masters in the order of their slots, then the replicas in the order of their masters. */
  readonly nodes: readonly ClusterNode[];
  /** The nodes that were masters at the start. */
  readonly masters: readonly ClusterNode[];
  /** Where every node listens, as clients want it. */
  readonly seeds: readonly { readonly host: string; readonly port: number }[];

  /** The slot of a key, which a hash tag decides, as a node calculates it. */
  slotOf(key: string): Promise<number>;
  /** The running master that serves the slot now. @throws if none does. */
  nodeOfSlot(slot: number): Promise<ClusterNode>;

  /** Moves a slot with its keys; resolves when every running node knows. */
  moveSlot(slot: number, to: ClusterNode): Promise<void>;
  /**
   * The first step of `moveSlot`: the slot is MIGRATING and IMPORTING. Its owner serves the keys
   * that it has, and answers ASK for others; TRYAGAIN, if it has some of a command's keys.
   */
  beginMove(slot: number, to: ClusterNode): Promise<void>;
  /** The second step: moves the keys, so that all are answered with ASK. */
  moveKeys(slot: number): Promise<void>;
  /** The last step: moves the keys that are left, and gives the slot to the new owner. */
  finishMove(slot: number): Promise<void>;

  /**
   * Resolves when every running node finds every slot served and its own master reachable. Says
   * nothing about a node that is gone and not yet missed, which takes more than a second.
   */
  ready(): Promise<void>;
  /** Stops every node; may be called again. */
  stop(): Promise<void>;
}
