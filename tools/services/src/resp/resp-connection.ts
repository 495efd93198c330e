import { connect, type NetConnectOpts } from 'node:net';
import { encodeCommand } from './encode-command.ts';
import { RespParser } from './resp-parser.ts';
import { RespError, type RespValue } from './resp-value.ts';

/** A plain RESP2 connection without reconnection, so that what it sees is what the server did. */
export interface RespConnection {
  readonly closed: boolean;
  /**
   * Sends one command. Commands are answered in the order in which they were sent, and those of one
   * synchronous run reach the server without another between them.
   *
   * @throws RespError if the server replies with an error.
   * @throws if the connection ends before the reply.
   */
  call(...args: (string | Buffer)[]): Promise<RespValue>;
  /** Sends one command whose replies come to `onValue`, as those of SUBSCRIBE do. */
  send(...args: (string | Buffer)[]): void;
  /** Ends the connection; what is under way is rejected. */
  close(): void;
}

interface Waiting {
  resolve(value: RespValue): void;
  reject(error: Error): void;
}

export interface ConnectOptions {
  /** Receives what no `call` waits for. */
  readonly onValue?: (value: RespValue) => void;
  readonly onClose?: () => void;
}

/** Commands may be sent at once; they fail if the connection cannot be made. */
export function openConnection(
  target: NetConnectOpts,
  options: ConnectOptions = {},
): RespConnection {
  const parser = new RespParser();
  const waiting: Waiting[] = [];
  let failure: Error | undefined;
  const socket = connect(target);
  socket.on('data', (chunk) => {
    for (const value of parser.push(chunk)) {
      const first = waiting.shift();
      if (first === undefined) options.onValue?.(value);
      else if (value instanceof RespError) first.reject(value);
      else first.resolve(value);
    }
  });
  socket.on('error', (error) => (failure = error));
  socket.on('close', () => {
    failure ??= new Error('Cannot read from Redis: the connection is closed');
    for (const each of waiting.splice(0)) each.reject(failure);
    options.onClose?.();
  });
  return {
    get closed() {
      return socket.destroyed;
    },
    call: (...args) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) {
          reject(failure ?? new Error('Cannot write to Redis: the connection is closed'));
          return;
        }
        waiting.push({ resolve, reject });
        socket.write(encodeCommand(args));
      }),
    send: (...args) => void socket.write(encodeCommand(args)),
    close: () => void socket.destroy(),
  };
}
