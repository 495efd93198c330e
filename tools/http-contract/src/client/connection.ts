import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { parseReply, type Reply } from './parse-reply.ts';

/** What is asked of a server. */
export interface Ask {
  /** GET by default. */
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** How long after the head the body is sent, in ms; at once by default. */
  readonly bodyAfterMs?: number;
}

/** One connection of a client, on which several requests may be on their way. */
export class Connection {
  readonly #socket: Socket;
  readonly #expected: {
    readonly method: string;
    readonly settle: (reply: Reply | Error) => void;
  }[] = [];
  readonly #closed: Promise<unknown>;
  #received = '';
  #isClosed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#closed = once(socket, 'close');
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      this.#received += text;
      this.#read();
    });
    // A connection that the server cuts off may end in an error here; what was expected on it says so.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#isClosed = true;
      this.#read();
      for (const { settle } of this.#expected.splice(0)) settle(new Error('Connection closed'));
    });
  }

  /** @param host An address of the loopback. */
  static async open(port: number, host = '127.0.0.1'): Promise<Connection> {
    const socket = connect(port, host);
    await once(socket, 'connect');
    return new Connection(socket);
  }

  /** Sends requests in one piece; the replies come in their order. A reply rejects when the connection closes before its head. */
  send(...asks: readonly Ask[]): Promise<Reply>[] {
    const replies = asks.map(
      ({ method = 'GET' }) =>
        new Promise<Reply>((resolve, reject) => {
          this.#expected.push({
            method,
            settle: (reply) => {
              if (reply instanceof Error) reject(reply);
              else resolve(reply);
            },
          });
        }),
    );
    for (const reply of replies) reply.catch(() => undefined);
    void this.#write(asks);
    return replies;
  }

  /** Sends one request and gives the reply. */
  async ask(ask: Ask): Promise<Reply> {
    const [reply] = this.send(ask);
    return reply as Promise<Reply>;
  }

  /** Fulfilled when so much was received that it matches. */
  async received(text: string): Promise<void> {
    while (!this.#received.includes(text)) await once(this.#socket, 'data');
  }

  /** Fulfilled when the connection is closed, by whomever. */
  async closed(): Promise<void> {
    await this.#closed;
  }

  /** Ends the connection at once. */
  async drop(): Promise<void> {
    this.#socket.resetAndDestroy();
    await this.#closed;
  }

  async #write(asks: readonly Ask[]): Promise<void> {
    let text = '';
    for (const ask of asks) {
      const { head, body } = format(ask);
      text += head;
      if (ask.bodyAfterMs !== undefined) {
        this.#socket.write(text);
        text = '';
        await sleep(ask.bodyAfterMs);
      }
      text += body;
    }
    this.#socket.write(text);
  }

  #read(): void {
    for (;;) {
      const [next] = this.#expected;
      if (next === undefined) return;
      const parsed = parseReply(this.#received, next.method, this.#isClosed);
      if (parsed === undefined) return;
      this.#received = parsed.rest;
      this.#expected.shift();
      next.settle(parsed.reply);
    }
  }
}

function format({ method = 'GET', path, headers = {}, json }: Ask): {
  readonly head: string;
  readonly body: string;
} {
  const body = json === undefined ? '' : JSON.stringify(json);
  const fields: [string, string | readonly string[]][] = [
    ['host', 'localhost'],
    ...Object.entries(headers),
  ];
  if (json !== undefined) {
    fields.push(
      ['content-type', 'application/json'],
      ['content-length', String(Buffer.byteLength(body))],
    );
  }
  const lines = fields.flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}\r\n`),
  );
  return { head: `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, body };
}
