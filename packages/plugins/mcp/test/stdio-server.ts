// Serves guarded servers of the SDK that the first argument names. Each connection to the socket of the second one is the stdin
// and the stdout of one server, and begins with a line of its options: starting a process for each would take most of the time.
import { createServer, type Socket } from 'node:net';

import type { FixtureOptions } from './fixture.ts';
import { World } from './world.ts';

const [version, path] = process.argv.slice(2);
const serve = version === 'v1' ? await serveV1() : await serveV2();

createServer((socket) => void accept(socket)).listen(path, () => process.stdout.write('ready\n'));
process.stdin.on('end', () => process.exit()).resume();

async function accept(socket: Socket): Promise<void> {
  let head = Buffer.alloc(0);
  while (!head.includes('\n')) {
    const chunk: unknown = socket.read();
    if (chunk === null) await new Promise((resolve) => socket.once('readable', resolve));
    else head = Buffer.concat([head, chunk as Buffer]);
  }
  const end = head.indexOf('\n');
  if (end + 1 < head.length) socket.unshift(head.subarray(end + 1));
  const close = await serve(socket, JSON.parse(head.toString('utf8', 0, end)) as FixtureOptions);
  socket.on('close', () => void close());
}

type Serve = (socket: Socket, options: FixtureOptions) => Promise<() => Promise<void>>;

async function serveV1(): Promise<Serve> {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  const { fixtureV1 } = await import('./fixture-v1.ts');
  return async (socket, options) => {
    const server = fixtureV1(new World(), options);
    await server.connect(new StdioServerTransport(socket, socket));
    return () => server.close();
  };
}

async function serveV2(): Promise<Serve> {
  const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const { fixtureV2 } = await import('./fixture-v2.ts');
  return async (socket, options) => {
    const world = new World();
    const transport = new StdioServerTransport(socket, socket);
    const handle = serveStdio(() => fixtureV2(world, options), { transport });
    return () => handle.close();
  };
}
