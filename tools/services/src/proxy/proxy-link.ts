import { connect, type Socket } from 'node:net';
import { HeldQueue, type Hold } from './held-queue.ts';
import { ConnectionTraffic, type Traffic } from './traffic.ts';

/** A chunk, or that the sender will send nothing more. */
type Item = Buffer | 'end';

export interface LinkOptions {
  readonly target: { readonly host: string; readonly port: number };
  readonly hold: Readonly<Hold>;
  readonly traffic: Traffic;
  /** Asked before a chunk with this many replies goes to the client. `true` swallows it. */
  swallow(link: ProxyLink, replies: number): boolean;
  onClose(link: ProxyLink): void;
}

/** One connection of a client, and the one that stands for it at the server. */
export class ProxyLink {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #queues: readonly HeldQueue<Item>[];

  constructor(client: Socket, options: LinkOptions) {
    const traffic = new ConnectionTraffic(options.traffic);
    this.#client = client;
    this.#server = connect({ ...options.target, allowHalfOpen: true, noDelay: true });
    this.#queues = [
      pipe(this.#client, this.#server, options.hold, (chunk) => {
        traffic.toServer(chunk);
        return true;
      }),
      pipe(this.#server, this.#client, options.hold, (chunk) => {
        if (options.swallow(this, traffic.fromServer(chunk))) return false;
        traffic.toClient(chunk);
        return true;
      }),
    ];
    for (const socket of [this.#client, this.#server]) {
      socket.on('error', () => this.cut());
      socket.on('close', () => {
        if (this.#client.destroyed && this.#server.destroyed) options.onClose(this);
      });
    }
  }

  release(): void {
    for (const queue of this.#queues) queue.release();
  }

  cut(): void {
    for (const queue of this.#queues) queue.clear();
    this.#client.destroy();
    this.#server.destroy();
  }
}

function pipe(
  from: Socket,
  to: Socket,
  hold: Hold,
  passes: (chunk: Buffer) => boolean,
): HeldQueue<Item> {
  const queue = new HeldQueue<Item>(hold, (item) => {
    if (to.destroyed) return;
    if (item === 'end') to.end();
    else if (passes(item)) to.write(item);
  });
  from.on('data', (chunk) => queue.add(chunk));
  from.on('end', () => queue.add('end'));
  return queue;
}
