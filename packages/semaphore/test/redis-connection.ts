import { connect, type Socket } from 'node:net';

/** A reply as RESP2 has it. */
export type Reply = string | number | null | Error | readonly Reply[];

/** Sends commands to a Redis server, all that are asked for at once in one go, and gives their replies; errors are thrown. */
export class RedisConnection {
  readonly #socket: Socket;
  readonly #onMessage: (channel: string, message: string) => void;
  readonly #waiting: ((reply: Reply) => void)[] = [];
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;

  /** @param onMessage For what arrives after a PSUBSCRIBE. */
  constructor(port: number, onMessage: (channel: string, message: string) => void = () => {}) {
    this.#onMessage = onMessage;
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes.subarray(this.#at), chunk]);
      this.#at = 0;
      this.#readAll();
    });
  }

  call(...args: readonly (string | number)[]): Promise<Reply> {
    const parts = [`*${args.length}\r\n`];
    for (const arg of args) parts.push(`$${Buffer.byteLength(String(arg))}\r\n${arg}\r\n`);
    this.#socket.write(parts.join(''));
    return new Promise((resolve, reject) => {
      this.#waiting.push((reply) => {
        if (reply instanceof Error) reject(reply);
        else resolve(reply);
      });
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #readAll(): void {
    for (;;) {
      const start = this.#at;
      const reply = this.#read();
      if (reply === undefined) {
        this.#at = start;
        return;
      }
      if (Array.isArray(reply) && reply[0] === 'pmessage') {
        this.#onMessage(String(reply[2]), String(reply[3]));
      } else this.#waiting.shift()?.(reply);
    }
  }

  /** @returns Undefined when it has not arrived in whole. */
  #read(): Reply | undefined {
    const end = this.#bytes.indexOf('\r\n', this.#at);
    if (end < 0) return undefined;
    const [kind, text] = [this.#bytes[this.#at], this.#bytes.toString('utf8', this.#at + 1, end)];
    this.#at = end + 2;
    if (kind === 0x2b) return text;
    if (kind === 0x2d) return new Error(text);
    if (kind === 0x3a) return Number(text);
    const length = Number(text);
    if (length < 0) return null;
    if (kind === 0x24) {
      this.#at += length + 2;
      return this.#at > this.#bytes.length
        ? undefined
        : this.#bytes.toString('utf8', end + 2, end + 2 + length);
    }
    const items: Reply[] = [];
    while (items.length < length) {
      const item = this.#read();
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items;
  }
}
