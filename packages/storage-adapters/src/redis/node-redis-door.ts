import type { Unsubscribe } from '@frontmcp/guard-core';

import type { RedisPort, SendCommand } from './redis-port.js';
import { waitUntilReady, type ClientEvents } from './wait-until-ready.js';

/** What a client and a cluster of node-redis have in common. */
interface NodeRedisBase extends ClientEvents {
  readonly isOpen: boolean;
  connect(): Promise<unknown>;
  destroy(): void;
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  unsubscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
}

/** What is used of a client of node-redis. */
export interface NodeRedisClient extends NodeRedisBase {
  readonly isReady: boolean;
  sendCommand(command: readonly string[]): Promise<unknown>;
  duplicate(options?: Readonly<Record<string, unknown>>): NodeRedisClient;
}

/** What is used of a cluster of node-redis. */
export interface NodeRedisCluster extends NodeRedisBase {
  readonly masters: readonly unknown[];
  sendCommand(
    key: string | undefined,
    isReadonly: boolean,
    command: readonly string[],
  ): Promise<unknown>;
  nodeClient(node: unknown): NodeRedisClient | Promise<NodeRedisClient>;
}

/** A client or a cluster of node-redis as the engine uses it. */
export class NodeRedisDoor implements RedisPort {
  readonly isCluster: boolean;
  readonly knowsReceivers: boolean;
  readonly clock = undefined;
  readonly #open: () => NodeRedisClient | NodeRedisCluster;
  #client: NodeRedisClient | NodeRedisCluster;
  readonly #isOwn: boolean;
  #subscriber: NodeRedisBase | undefined = undefined;

  /**
   * @param open Makes a client that is not connected yet, or gives the one that somebody supplied.
   * @param isOwn Whether a client is closed with the store; one that somebody supplied is not.
   */
  constructor(open: () => NodeRedisClient | NodeRedisCluster, isOwn: boolean) {
    this.#open = open;
    this.#isOwn = isOwn;
    this.#client = this.#openClient();
    this.isCluster = isNodeRedisCluster(this.#client);
    this.knowsReceivers = !this.isCluster;
  }

  connect(): Promise<void> {
    const client = this.#client;
    if (!isNodeRedisCluster(client)) return ready(client);
    return client.isOpen ? Promise.resolve() : client.connect().then(ignore);
  }

  disconnect(): Promise<void> {
    const subscriber = this.#subscriber;
    this.#subscriber = undefined;
    if (subscriber !== undefined && subscriber !== this.#client) destroy(subscriber);
    if (this.#isOwn) {
      destroy(this.#client);
      this.#client = this.#openClient();
    }
    return Promise.resolve();
  }

  send(command: readonly string[], key?: string): Promise<unknown> {
    const client = this.#client;
    return isNodeRedisCluster(client)
      ? client.sendCommand(key, false, command)
      : client.sendCommand(command);
  }

  servers(): readonly SendCommand[] {
    const client = this.#client;
    if (!isNodeRedisCluster(client)) return [(command) => this.send(command)];
    return client.masters.map(
      (node) => async (command) => (await client.nodeClient(node)).sendCommand(command),
    );
  }

  async subscribe(channel: string, listener: (message: string) => void): Promise<Unsubscribe> {
    const subscriber = (this.#subscriber ??= this.#openSubscriber());
    if (!isNodeRedisCluster(subscriber)) await ready(subscriber as NodeRedisClient);
    await subscriber.subscribe(channel, listener);
    return async () => {
      if (this.#subscriber === subscriber) await subscriber.unsubscribe(channel, listener);
    };
  }

  #openClient(): NodeRedisClient | NodeRedisCluster {
    const client = this.#open();
    if (this.#isOwn) client.on('error', ignore);
    return client;
  }

  /** A cluster has a connection for subscriptions of its own, and moves it when its node is lost. */
  #openSubscriber(): NodeRedisBase {
    if (isNodeRedisCluster(this.#client)) return this.#client;
    const subscriber = this.#client.duplicate({ disableOfflineQueue: false });
    subscriber.on('error', ignore);
    return subscriber;
  }
}

/** Whether a client of node-redis is a cluster. */
export function isNodeRedisCluster(client: NodeRedisBase): client is NodeRedisCluster {
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

function ignore(): void {
  return undefined;
}
