import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { loopback } from '../process/free-port.ts';
import { listen } from '../process/listen.ts';
import { RespError } from '../resp/resp-value.ts';
import { createCommandRunner, type CommandRunner, type RedisAddress } from './command-runner.ts';
import { encodeReply } from './encode-reply.ts';
import { BadRequestError, readRequest, type BridgeCall } from './read-request.ts';
import { createRequestLog } from './request-log.ts';
import { streamEvents } from './stream-events.ts';
import type { UpstashBridge } from './upstash-bridge.ts';

export interface UpstashBridgeOptions {
  /** What clients have to send. Default: one that is no secret. */
  readonly token?: string;
  /**
   * `false` stands for an engine whose scripts may not ask for the time: the call of TIME fails in
   * them, while TIME as a command works, but not inside of MULTI. Adds a user to the Redis server.
   */
  readonly timeInScripts?: boolean;
}

/** Starts a bridge in front of the Redis server, which it connects to when there is a request. */
export async function startUpstashBridge(
  redis: RedisAddress,
  options: UpstashBridgeOptions = {},
): Promise<UpstashBridge> {
  const { token = 'guard-token', timeInScripts = true } = options;
  const runner = createCommandRunner(redis, timeInScripts);
  const log = createRequestLog();
  const streams = new Set<ServerResponse>();
  let fault: 'drop' | number | undefined;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '' } = request;
    const url = new URL(path, `http://${loopback}`);
    const body = await readBody(request);
    const given = request.headers.authorization ?? `Bearer ${url.searchParams.get('_token') ?? ''}`;
    let call: BridgeCall | BadRequestError;
    try {
      call = readRequest(url, body);
    } catch (error) {
      if (!(error instanceof BadRequestError)) throw error;
      call = error;
    }
    const commands = call instanceof BadRequestError ? [] : call.commands.map(withLowerCaseName);
    log.add({ method, path, commands });

    if (given !== `Bearer ${token}`) {
      send(response, 401, { error: 'WRONGPASS invalid or missing auth token' });
    } else if (typeof fault === 'number') {
      send(response, fault, { error: `ERR the bridge was told to fail with ${fault}` });
      fault = undefined;
    } else if (call instanceof BadRequestError) {
      send(response, 400, { error: call.message });
    } else if (call.kind === 'subscribe') {
      streams.add(response);
      response.on('close', () => streams.delete(response));
      streamEvents(redis, call.commands[0] ?? [], response);
    } else {
      const drop = fault === 'drop';
      if (drop) fault = undefined;
      const answer = await run(runner, call, request.headers['upstash-encoding'] === 'base64');
      if (drop) request.socket.destroy();
      else send(response, answer.status, answer.body);
    }
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      send(response, 503, { error: `ERR ${error instanceof Error ? error.message : 'unknown'}` });
    });
  });
  const port = await listen(server);
  const cutSubscriptions = (): void => streams.forEach((response) => response.end());
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
      runner.close();
    });
  let stopping: Promise<void> | undefined;
  return {
    url: `http://${loopback}:${port}`,
    token,
    port,
    requests: log,
    dropNextReply: () => void (fault = 'drop'),
    failNext: (status) => void (fault = status),
    cutSubscriptions,
    stop: () => (stopping ??= stop()),
  };
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** One command that fails, or a transaction that is discarded, is answered with HTTP 400. */
async function run(runner: CommandRunner, call: BridgeCall, base64: boolean): Promise<Answer> {
  try {
    const { kind, commands } = call;
    const replies = await (kind === 'multi-exec'
      ? runner.transaction(commands)
      : runner.run(commands));
    const items = replies.map((reply) => encodeReply(reply, base64));
    if (kind !== 'command') return { status: 200, body: items };
    const [item = { error: 'ERR no reply' }] = items;
    return { status: 'error' in item ? 400 : 200, body: item };
  } catch (error) {
    if (error instanceof RespError) return { status: 400, body: { error: error.message } };
    throw error;
  }
}

function withLowerCaseName([name = '', ...args]: readonly string[]): string[] {
  return [name.toLowerCase(), ...args];
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
