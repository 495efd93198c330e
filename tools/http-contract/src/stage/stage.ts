import type { AddressInfo, Socket } from 'node:net';

import {
  createGuardManager,
  createMemoryStorage,
  DistributedSemaphore,
  type GuardConfig,
  type GuardManager,
} from '@frontmcp/guard';

import { Connection, type Ask } from '../client/connection.ts';
import type { Reply } from '../client/parse-reply.ts';
import type { HttpLayer, Served } from '../contract-layer.ts';
import type { HttpCase } from '../http-case.ts';
import { failingStorage, type FailingStorage } from './failing-storage.ts';
import { HeldRequests } from './held-requests.ts';
import { standardRoutes } from './standard-routes.ts';
import { until } from './until.ts';

/** What the case does about the guard of the application. */
export type StageConfig = Omit<GuardConfig, 'enabled'> & { readonly enabled?: boolean };

/** A case while it is played: a real server, and real clients. */
export class Stage {
  /** The requests inside the handler of `/hold`. */
  readonly held: HeldRequests = new HeldRequests();
  readonly storage: FailingStorage = failingStorage(createMemoryStorage());
  readonly #layer: HttpLayer;
  readonly #case: HttpCase;
  readonly #connections: Connection[] = [];
  readonly #sockets = new Map<Socket, number>();
  readonly #timersBefore = timers();
  #manager: GuardManager | undefined;
  #served: Served | undefined;

  constructor(layer: HttpLayer, httpCase: HttpCase) {
    this.#layer = layer;
    this.#case = httpCase;
  }

  get manager(): GuardManager {
    if (this.#manager === undefined) throw new Error('The stage is not set');
    return this.#manager;
  }

  /** Serves the application of the case. Rejects with what its options are refused with. */
  async set(): Promise<void> {
    const { config = {}, options = {}, routes, giveGuard } = this.#case;
    this.#manager = await createGuardManager({
      config: { enabled: true, ...config },
      storage: this.storage,
    });
    this.#served = await this.#layer.serve({
      guard: giveGuard?.(this.#manager) ?? this.#manager,
      options,
      routes: standardRoutes(this.held, routes),
    });
    this.#served.server.on('connection', (socket) => {
      this.#sockets.set(socket, socket.listenerCount('close'));
    });
  }

  /** A connection of a client of its own. */
  async connect(host?: string): Promise<Connection> {
    const { port } = this.#served?.server.address() as AddressInfo;
    const connection = await Connection.open(port, host);
    this.#connections.push(connection);
    return connection;
  }

  /** One request on a connection of its own. */
  async ask(ask: string | Ask): Promise<Reply> {
    const connection = await this.connect();
    const reply = await connection.ask(typeof ask === 'string' ? { path: ask } : ask);
    await connection.drop();
    return reply;
  }

  /** How many slots are taken, and how many requests wait for one, of all entities together. */
  async slots(): Promise<{ readonly taken: number; readonly waiting: number }> {
    const semaphore = new DistributedSemaphore(this.storage);
    const keys = (await this.storage.keys('*')).filter((key) => key.endsWith(':sem'));
    const found = await Promise.all(keys.map((key) => semaphore.inspect(key.slice(0, -4))));
    return {
      taken: found.reduce((sum, { holders }) => sum + holders.length, 0),
      waiting: found.reduce((sum, { queueLength }) => sum + queueLength, 0),
    };
  }

  async untilTaken(count: number): Promise<void> {
    await until(`${count} slots are taken`, async () => (await this.slots()).taken === count);
  }

  async untilWaiting(count: number): Promise<void> {
    await until(`${count} requests wait`, async () => (await this.slots()).waiting === count);
  }

  /** Whatever was played, nothing is left of it: no slot, no listener on a socket, no timer. */
  async strike(): Promise<void> {
    this.storage.isDown = false;
    if (this.#served !== undefined) {
      await until('no slot is taken and nobody waits', async () => {
        const { taken, waiting } = await this.slots();
        return taken + waiting === 0;
      });
      await until('no listener is left on a socket', () =>
        [...this.#sockets].every(
          ([socket, before]) => socket.destroyed || socket.listenerCount('close') <= before,
        ),
      );
    }
    await this.end();
    await until('no timer is left', () => timers() <= this.#timersBefore);
  }

  /** Ends what the case has begun, however it went. */
  async end(): Promise<void> {
    const served = this.#served;
    const manager = this.#manager;
    this.#served = this.#manager = undefined;
    await Promise.all(this.#connections.splice(0).map((connection) => connection.drop()));
    await served?.close();
    await manager?.destroy();
  }
}

/** How many timers keep the process. */
function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}
