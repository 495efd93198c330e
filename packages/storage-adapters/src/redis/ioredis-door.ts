import type { GuardStorageUnavailableError, Unsubscribe } from '@frontmcp/guard-core';

import { hashSlotOf } from './hash-slot.js';
import { notConnected, withoutCommand } from './redis-failure.js';
import type { RedisPort, SendCommand } from './redis-port.js';
import { waitUntilReady, type ClientEvents } from './wait-until-ready.js';

/** What is used of a client of ioredis, single, Sentinel or Cluster. */
export interface IoredisClient extends ClientEvents {
  readonly status: string;
  readonly isCluster: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  connect(): Promise<unknown>;
  disconnect(): void;
  call(command: string, args: readonly string[]): Promise<unknown>;
  duplicate(options?: Readonly<Record<string, unknown>>): IoredisClient;
  subscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  /** Its connection; none before it connects, and none of a cluster. */
  readonly stream?: { cork(): void; uncork(): void } | null;
  /** Of a cluster only. */
  nodes?(role: 'master'): IoredisClient[];
  /** Of a cluster only: the addresses of the nodes of each hash slot, of its master first. */
  readonly slots?: readonly (readonly string[] | undefined)[];
  /** Of a cluster only: asks a node for the slots. */
  refreshSlotsCache?(onEnd: () => void): void;
}

/** A client of ioredis as the engine uses it. */
export class IoredisDoor implements RedisPort {
  readonly isCluster: boolean;
  readonly knowsReceivers: boolean;
  readonly clock = undefined;
  readonly #open: () => IoredisClient;
  #client: IoredisClient;
  readonly #isOwn: boolean;
  /**
   * Early versions of ioredis find the key of a command by a name in small letters only, and ask any node of a cluster without. Where
   * reads may go to replicas, as with a client that somebody supplied, capitals keep ours at the masters.
   */
  readonly #inSmallLetters: boolean;
  readonly #listeners = new Map<string, (message: string) => void>();
  #subscriber: IoredisClient | undefined = undefined;

  /**
   * @param open Makes a client that is not connected yet, or gives the one that somebody supplied.
   * @param isOwn Whether a client is closed with the store; one that somebody supplied is not.
   */
  constructor(open: () => IoredisClient, isOwn: boolean) {
    this.#open = open;
    this.#isOwn = isOwn;
    this.#client = this.#openClient();
    const { isCluster, options } = this.#client;
    this.isCluster = isCluster;
    this.#inSmallLetters = isCluster && options['scaleReads'] === 'master';
    // Where none are named, it is null in the options that the client has filled up.
    this.knowsReceivers = !isCluster && !Array.isArray(options['sentinels']);
  }

  /**
   * A cluster that is connected looks where the slots are by now. Else it would wait for a node that does not answer, and never hear
   * that a replica has taken its place.
   */
  async connect(): Promise<void> {
    const client = this.#client;
    try {
      if (client.status === 'ready') await lookForSlots(client);
      else await ready(client);
    } catch (error) {
      throw withoutCommand(error);
    }
  }

  disconnect(): Promise<void> {
    this.#closeSubscriber();
    if (this.#isOwn) {
      this.#client.disconnect();
      this.#client = this.#openClient();
    }
    return Promise.resolve();
  }

  send(command: readonly string[]): Promise<unknown> {
    const name = command[0] as string;
    return sendTo(this.#client, this.#inSmallLetters ? name.toLowerCase() : name, command.slice(1));
  }

  /** A client writes each command by itself. */
  inOneWrite(send: () => void): void {
    const nodes = this.#client.nodes?.('master') ?? [this.#client];
    const streams = nodes.flatMap(({ stream }) => stream ?? []);
    for (const stream of streams) stream.cork();
    try {
      send();
    } finally {
      for (const stream of streams) stream.uncork();
    }
  }

  serverOf(key: string): string | undefined {
    const address = this.#client.slots?.[hashSlotOf(key)]?.[0];
    return address === undefined
      ? undefined
      : mappedAddress(address, this.#client.options['natMap']);
  }

  /** @throws GuardStorageUnavailableError when not connected: a cluster knows no nodes then. */
  servers(): readonly SendCommand[] {
    assertReady(this.#client);
    const clients = this.#client.nodes?.('master') ?? [this.#client];
    return clients.map(
      (client) =>
        ([name, ...args]) =>
          client.call(name as string, args),
    );
  }

  async subscribe(channel: string, listener: (message: string) => void): Promise<Unsubscribe> {
    const subscriber = (this.#subscriber ??= this.#openSubscriber());
    this.#listeners.set(channel, listener);
    try {
      if (!this.isCluster) await ready(subscriber);
      await subscriber.subscribe(channel);
    } catch (error) {
      if (this.#listeners.get(channel) === listener) this.#listeners.delete(channel);
      throw withoutCommand(error);
    }
    return async () => {
      if (this.#listeners.get(channel) !== listener) return;
      this.#listeners.delete(channel);
      await subscriber.unsubscribe(channel);
    };
  }

  #openClient(): IoredisClient {
    const client = this.#open();
    if (this.#isOwn) client.on('error', ignore);
    return client;
  }

  /** A cluster has a connection for subscriptions of its own, and moves it when its node is lost. */
  #openSubscriber(): IoredisClient {
    const subscriber = this.isCluster ? this.#client : this.#client.duplicate(SUBSCRIBER);
    if (!this.isCluster) subscriber.on('error', ignore);
    subscriber.on('message', this.#onMessage);
    return subscriber;
  }

  #closeSubscriber(): void {
    const subscriber = this.#subscriber;
    this.#subscriber = undefined;
    if (subscriber === undefined) return;
    subscriber.off('message', this.#onMessage);
    if (!this.isCluster) subscriber.disconnect();
    else if (!this.#isOwn) {
      for (const channel of this.#listeners.keys()) subscriber.unsubscribe(channel).catch(ignore);
    }
    this.#listeners.clear();
  }

  readonly #onMessage = (channel: string, message: string): void => {
    this.#listeners.get(channel)?.(message);
  };
}

/** Subscriptions are to survive anything: sending one twice does no harm. */
const SUBSCRIBER = {
  lazyConnect: true,
  autoResendUnfulfilledCommands: true,
  autoResubscribe: true,
  enableOfflineQueue: true,
  maxRetriesPerRequest: null,
} as const;

function ready(client: IoredisClient): Promise<void> {
  const start = (): Promise<unknown> | undefined =>
    client.status === 'wait' || client.status === 'end' ? client.connect() : undefined;
  return waitUntilReady(client, () => client.status === 'ready', start);
}

/**
 * A client that is not connected would keep the command, and send it when nobody waits for it any more; a cluster that is
 * keeps it only while it connects to the node.
 */
function sendTo(client: IoredisClient, name: string, args: readonly string[]): Promise<unknown> {
  if (client.status === 'ready') return client.call(name, args);
  return Promise.reject(notReady(client));
}

/** Resolves too when no node tells. */
function lookForSlots(client: IoredisClient): Promise<void> {
  return new Promise((resolve) => {
    if (client.refreshSlotsCache === undefined) resolve();
    else client.refreshSlotsCache(() => resolve());
  });
}

interface NodeAddress {
  readonly host: string;
  readonly port: number;
}

type NatMap = Readonly<Record<string, NodeAddress>> | ((address: string) => NodeAddress | null);

/** The slots have an address as the client uses it, and after a redirection as the node has it. */
function mappedAddress(address: string, natMap: unknown): string {
  const map = natMap as NatMap | null | undefined;
  const mapped = typeof map === 'function' ? map(address) : map?.[address];
  return mapped ? `${mapped.host}:${mapped.port}` : address;
}

function assertReady(client: IoredisClient): void {
  if (client.status !== 'ready') throw notReady(client);
}

function notReady({ status }: IoredisClient): GuardStorageUnavailableError {
  return notConnected(`the client is in the state "${status}"`);
}

function ignore(): void {
  return undefined;
}
