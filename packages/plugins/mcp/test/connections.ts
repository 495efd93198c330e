import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

import { toNodeHandler } from '@modelcontextprotocol/node';
import { InMemoryTransport as MemoryV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpHandler, InMemoryTransport as MemoryV2 } from '@modelcontextprotocol/server';

import { guardOf } from '../src/guard-of.ts';
import { connect, type ClientVersion, type TestClient } from './clients.ts';
import { fixtureV1 } from './fixture-v1.ts';
import { fixtureV2 } from './fixture-v2.ts';
import type { FixtureOptions, Moment } from './fixture.ts';
import { stdioCommand } from './stdio-servers.ts';
import { World } from './world.ts';

/** A guarded server and clients of it. */
export interface Session {
  readonly client: TestClient;
  /** Of a server in this process. */
  readonly world: World;
  /** Of a server on HTTP. */
  readonly url: string;
  another(headers?: Record<string, string>): Promise<TestClient>;
  close(): Promise<void>;
}

/** A way in which a server is served and reached. */
export interface Connection {
  readonly name: string;
  readonly server: 'v1' | 'v2';
  readonly client: ClientVersion;
  readonly transport: 'memory' | 'stdio' | 'http' | 'http, server per request';
}

export const connections: readonly Connection[] = (
  [
    ['v1', 'v1', 'memory'],
    ['v1', 'v2', 'memory'],
    ['v2', 'v1', 'memory'],
    ['v2', 'v2', 'memory'],
    ['v1', 'v1', 'stdio'],
    ['v1', 'v2', 'stdio'],
    ['v2', 'v1', 'stdio'],
    ['v2', 'v2 modern', 'stdio'],
    ['v1', 'v1', 'http'],
    ['v1', 'v2', 'http'],
    ['v1', 'v1', 'http, server per request'],
    ['v1', 'v2', 'http, server per request'],
    ['v2', 'v1', 'http, server per request'],
    ['v2', 'v2', 'http, server per request'],
    ['v2', 'v2 modern', 'http, server per request'],
  ] as const
).map(([server, client, transport]) => ({
  name: `server ${server}, client ${client}, ${transport}`,
  server,
  client,
  transport,
}));

/** Something around the HTTP handler of a server. */
export type Around = (req: IncomingMessage, next: () => void, res: ServerResponse) => void;

export interface OpenOptions {
  readonly moment?: Moment;
  readonly headers?: Record<string, string>;
  readonly around?: Around;
}

/** Serves a guarded server and connects a client to it. */
export async function open(
  connection: Connection,
  given: FixtureOptions,
  { moment = 'first', headers = {}, around = (_req, next) => next() }: OpenOptions = {},
): Promise<Session> {
  const { server, client, transport } = connection;
  const options = apart(given);
  if (transport === 'stdio') return openStdio(connection, options);
  const world = new World();
  let last: AnyServer | undefined;
  const make = {
    v1: () => (last = fixtureV1(world, options, moment)),
    v2: () => (last = fixtureV2(world, options, moment)),
  };
  const destroy = async (): Promise<void> => {
    if (last !== undefined && options.throttle !== undefined) {
      await guardOf(last).then(
        (guard) => guard.destroy(),
        () => undefined,
      );
    }
  };
  if (transport === 'memory') {
    const [near, far] = server === 'v1' ? MemoryV1.createLinkedPair() : MemoryV2.createLinkedPair();
    if (server === 'v1') await make.v1().connect(far);
    else await make.v2().connect(far);
    const only = await connect(client, { transport: near });
    return {
      client: only,
      world,
      url: '',
      another: () => Promise.reject(new Error('There is one client')),
      close: async () => {
        await only.close();
        await destroy();
      },
    };
  }
  const handle = server === 'v2' ? serveV2(make.v2) : serveV1(make.v1, transport === 'http');
  const http = await listen((req, res) => around(req, () => handle(req, res), res));
  const clients: TestClient[] = [];
  const another = async (more: Record<string, string> = {}): Promise<TestClient> => {
    const one = await connect(client, { url: http.url, headers: more });
    clients.push(one);
    return one;
  };
  return {
    client: await another(headers),
    world,
    url: http.url,
    another,
    close: async () => {
      await Promise.all(clients.map((one) => one.close()));
      await http.close();
      await destroy();
    },
  };
}

type McpServerV1 = ReturnType<typeof fixtureV1>;
type McpServerV2 = ReturnType<typeof fixtureV2>;
type AnyServer = McpServerV1 | McpServerV2;

let opened = 0;

/** Servers with one configuration share a guard: that of each test is one of its own. */
function apart(options: FixtureOptions): FixtureOptions {
  if (options.throttle === undefined) return options;
  opened += 1;
  return { ...options, throttle: { keyPrefix: `test-${opened}`, ...options.throttle } };
}

async function openStdio(
  { server, client }: Connection,
  options: FixtureOptions,
): Promise<Session> {
  const address = await stdioCommand(server, options);
  const only = await connect(client, address);
  return {
    client: only,
    world: new World(),
    url: '',
    another: () => Promise.reject(new Error('There is one client')),
    close: () => only.close(),
  };
}

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

function serveV2(make: () => McpServerV2): Handler {
  const handler = toNodeHandler(createMcpHandler(make));
  return (req, res) => void handler(req as Parameters<typeof handler>[0], res);
}

function serveV1(make: () => McpServerV1, hasSessions: boolean): Handler {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return (req, res) => {
    const known = sessions.get(String(req.headers['mcp-session-id']));
    if (known !== undefined) {
      void known.handleRequest(req, res);
      return;
    }
    const transport = new StreamableHTTPServerTransport(
      hasSessions
        ? {
            sessionIdGenerator: () => randomUUID(),
            onsessioninitialized: (id) => void sessions.set(id, transport),
          }
        : {},
    );
    res.on('close', () => {
      if (!hasSessions) void transport.close();
    });
    void make()
      .connect(transport as Parameters<McpServerV1['connect']>[0])
      .then(() => transport.handleRequest(req, res));
  };
}

/** An HTTP server on a free port of the loopback. */
async function listen(
  handle: RequestListener,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/mcp`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
