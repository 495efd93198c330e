import type { Unsubscribe } from '@frontmcp/guard-core';

import { hashSlotOf } from './hash-slot.js';
import { notConnected } from './redis-failure.js';
import type { RedisPort, SendCommand } from './redis-port.js';
import { socketUntil, type NodeRedisSocket } from './socket-until.js';
import { waitUntilReady, type ClientEvents } from './wait-until-ready.js';

/** What a client and a cluster of node-redis have in common. */
interface NodeRedisBase extends ClientEvents {
  readonly isOpen: boolean;
  connect(): Promise<unknown>;
  destroy(): void;
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  unsubscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
}

interface CommandOptions {
  readonly typeMapping: Readonly<Record<number, unknown>>;
}

/** Replies as the engine reads them, strings and numbers, whatever a client is set to. */
const PLAIN: CommandOptions = { typeMapping: {} };

/**
 * A key of the hash slot that the empty key is in. A cluster takes the empty one for none: it asks any node, and any other one when that
 * says where to go.
 */
const BESIDE_EMPTY = '06S';

/** What is used of a client of node-redis. */
export interface NodeRedisClient extends NodeRedisBase {
  readonly isReady: boolean;
  readonly options?: { readonly socket?: NodeRedisSocket };
  sendCommand(command: readonly string[], options: CommandOptions): Promise<unknown>;
  duplicate(options?: Readonly<Record<string, unknown>>): NodeRedisClient;
}

/** What is used of a cluster of node-redis. */
export interface NodeRedisCluster extends NodeRedisBase {
  readonly masters: readonly unknown[];
  /** By hash slot. */
  readonly slots: readonly ({ readonly master: { readonly address: string } } | undefined)[];
  sendCommand(
    key: string | undefined,
    isReadonly: boolean,
    command: readonly string[],
    options: CommandOptions,
  ): Promise<unknown>;
  nodeClient(node: unknown): NodeRedisClient | Promise<NodeRedisClient>;
}

/** A client or a cluster of node-redis as the engine uses it. */
export class NodeRedisDoor implements RedisPort {
  readonly isCluster: boolean;
  readonly knowsReceivers: boolean;
  readonly clock = undefined;
  readonly #open: (life: AbortSignal) => NodeRedisClient | NodeRedisCluster;
  #client: NodeRedisClient | NodeRedisCluster;
  readonly #isOwn: boolean;
  /** Ends what is opened here. A client that is told to close while it connects forgets its socket, and leaves it open. */
  #life = new AbortController();
  readonly #ends = new Set<Unsubscribe>();
  #subscriber: NodeRedisBase | undefined = undefined;
  #connecting: Promise<void> | undefined = undefined;
  /** The first key that was asked for on a cluster. */
  #askedFor: string | undefined = undefined;

  /**
   * @param open Makes a client that is not connected yet, whose sockets end with `life`, or gives the one that somebody supplied.
   * @param isOwn Whether a client is closed with the store; one that somebody supplied is not.
   */
  constructor(open: (life: AbortSignal) => NodeRedisClient | NodeRedisCluster, isOwn: boolean) {
    this.#open = open;
    this.#isOwn = isOwn;
    this.#client = this.#openClient();
    this.isCluster = isNodeRedisCluster(this.#client);
    this.knowsReceivers = !this.isCluster;
  }

  connect(): Promise<void> {
    const client = this.#client;
    return isNodeRedisCluster(client) ? this.#connectCluster(client) : ready(client);
  }

  disconnect(): Promise<void> {
    const subscriber = this.#subscriber;
    this.#subscriber = undefined;
    if (subscriber !== undefined && subscriber !== this.#client) destroy(subscriber);
    if (this.#isOwn) destroy(this.#client);
    else if (subscriber === this.#client) for (const end of this.#ends) end().catch(ignore);
    this.#ends.clear();
    this.#life.abort();
    this.#life = new AbortController();
    this.#connecting = undefined;
    if (this.#isOwn) this.#client = this.#openClient();
    return Promise.resolve();
  }

  send(command: readonly string[], key?: string): Promise<unknown> {
    const client = this.#client;
    if (!isNodeRedisCluster(client)) return client.sendCommand(command, PLAIN);
    this.#askedFor ??= key;
    const route = key === '' ? BESIDE_EMPTY : key;
    return client.sendCommand(route, false, command, PLAIN).catch(rethrow);
  }

  serverOf(key: string): string | undefined {
    const client = this.#client;
    return isNodeRedisCluster(client) ? client.slots[hashSlotOf(key)]?.master.address : undefined;
  }

  servers(): readonly SendCommand[] {
    const client = this.#client;
    if (!isNodeRedisCluster(client)) return [(command) => this.send(command)];
    return client.masters.map(
      (node) => async (command) => (await client.nodeClient(node)).sendCommand(command, PLAIN),
    );
  }

  async subscribe(channel: string, listener: (message: string) => void): Promise<Unsubscribe> {
    const subscriber = (this.#subscriber ??= this.#openSubscriber());
    const end = async (): Promise<void> => {
      if (!this.#ends.delete(end)) return;
      await subscriber.unsubscribe(channel, listener);
    };
    this.#ends.add(end);
    try {
      if (!isNodeRedisCluster(subscriber)) await ready(subscriber as NodeRedisClient);
      await subscriber.subscribe(channel, listener);
    } catch (error) {
      this.#ends.delete(end);
      throw error;
    }
    return end;
  }

  /**
   * One that is connected looks where the slots are by now. Else it would wait for a node that does not answer, and never hear that a
   * replica has taken its place.
   *
   * A cluster is open as soon as it begins to connect, and knows its masters once it has. One that is closed meanwhile goes on,
   * or never settles.
   */
  #connectCluster(cluster: NodeRedisCluster): Promise<void> {
    if (this.#connecting !== undefined) return this.#connecting;
    if (cluster.isOpen) {
      if (cluster.masters.length > 0) return this.#lookForSlots(cluster);
      return Promise.reject(notConnected('the cluster is connecting'));
    }
    const life = this.#life.signal;
    const connecting = new Promise<void>((resolve, reject) => {
      const onClose = (): void => reject(new Error('The connection was closed'));
      life.addEventListener('abort', onClose);
      const settle = (done: () => void): void => {
        life.removeEventListener('abort', onClose);
        if (!life.aborted) this.#connecting = undefined;
        done();
      };
      cluster.connect().then(
        () => {
          if (life.aborted && this.#isOwn) cluster.destroy();
          settle(resolve);
        },
        (error: unknown) => settle(() => reject(error)),
      );
    });
    this.#connecting = connecting;
    return connecting;
  }

  /**
   * A node that is asked for a key of another one says so, upon which the cluster looks where all are. Any node is asked, and not always
   * the same, for a key that this user may ask for.
   */
  async #lookForSlots(cluster: NodeRedisCluster): Promise<void> {
    if (this.#askedFor === undefined) return;
    await cluster.sendCommand(undefined, false, ['GET', this.#askedFor], PLAIN).catch(ignore);
  }

  #openClient(): NodeRedisClient | NodeRedisCluster {
    const client = this.#open(this.#life.signal);
    if (this.#isOwn) client.on('error', ignore);
    return client;
  }

  /** A cluster has a connection for subscriptions of its own, and moves it when its node is lost. */
  #openSubscriber(): NodeRedisBase {
    if (isNodeRedisCluster(this.#client)) return this.#client;
    const subscriber = this.#client.duplicate({
      disableOfflineQueue: false,
      socket: socketUntil(this.#life.signal, this.#client.options?.socket),
    });
    subscriber.on('error', ignore);
    return subscriber;
  }
}

/** Whether a client of node-redis is a cluster. */
function isNodeRedisCluster(client: NodeRedisBase): client is NodeRedisCluster {
  return 'nodeClient' in client;
}

function ready(client: NodeRedisClient): Promise<void> {
  const start = (): Promise<unknown> | undefined => (client.isOpen ? undefined : client.connect());
  return waitUntilReady(client, () => client.isReady, start);
}

/** It throws when the client is closed already. */
function destroy(client: NodeRedisBase): void {
  if (client.isOpen) client.destroy();
}

/** A cluster that does not know which node has a slot trips over it. */
function rethrow(error: unknown): never {
  throw error instanceof TypeError ? notConnected(error) : error;
}

function ignore(): void {
  return undefined;
}
