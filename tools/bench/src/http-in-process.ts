import { Duplex } from 'node:stream';

import type { GroupResult, Pace } from './findings.ts';
import { compare, type Contender } from './harness.ts';
import { createApp, LIMITERS, nameOf, NEVER_REACHED, type Framework } from './http-apps.ts';

const CONNECTIONS = 16;
const REQUEST = Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
const LAST_OF_BODY = '}'.charCodeAt(0);

/**
 * CPU time of a request, its limiter and its response in one process, with all limiters in turns: connections end in memory, so that
 * neither the system nor another process is in the figures. What is left is what a limiter adds to its framework.
 */
export function compareInProcess(
  framework: Framework,
  title: string,
  pace: Pace,
): Promise<GroupResult> {
  return compare(
    {
      id: `${framework}-in-process`,
      title: `${title}, in one process`,
      expected: 'HTTP/1.1 200 OK',
      floor: nameOf(framework, 'none'),
      contenders: Object.fromEntries(
        LIMITERS.map((limiter) => [
          nameOf(framework, limiter),
          async (): Promise<Contender> => {
            const server = await createApp(framework, limiter, NEVER_REACHED);
            const sockets = Array.from({ length: CONNECTIONS }, () => new MemorySocket());
            for (const socket of sockets) server.emit('connection', socket);
            return { loop: (_from, count) => ask(sockets, count) };
          },
        ]),
      ),
    },
    pace,
  );
}

/** Sends so many requests, one after the other on each connection. Gives the first line of the last response. */
async function ask(sockets: readonly MemorySocket[], count: number): Promise<string> {
  let left = count;
  let last = '';
  const askOn = (socket: MemorySocket): Promise<void> =>
    new Promise((resolve) => {
      const next = (): void => {
        if (left-- > 0) socket.push(REQUEST);
        else resolve();
      };
      socket.onData = (data) => {
        if (data.subarray(0, 4).toString('latin1') === 'HTTP') {
          last = data.toString('latin1', 0, data.indexOf('\r'));
        }
        // As on a network, the next request does not come while this response is still being ended.
        if (data.at(-1) === LAST_OF_BODY) setImmediate(next);
      };
      next();
    });
  await Promise.all(sockets.map(askOn));
  return last;
}

/** The server's end of a connection whose other end is the benchmark. */
class MemorySocket extends Duplex {
  readonly remoteAddress = '127.0.0.1';
  onData: (data: Buffer) => void = () => undefined;

  override _read(): void {
    // Requests are pushed.
  }

  override _write(data: Buffer, _encoding: string, done: () => void): void {
    this.onData(data);
    done();
  }

  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }
}
