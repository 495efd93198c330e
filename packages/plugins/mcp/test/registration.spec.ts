/* eslint-disable @typescript-eslint/no-deprecated -- low-level servers are in use, and are guarded */
import { createGuardManager, GuardConfigError } from '@frontmcp/guard';
import type { GuardManager } from '@frontmcp/guard-manager';
import { InMemoryTransport as MemoryV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js';
import {
  McpServer as McpServerV1,
  ResourceTemplate,
} from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListToolsRequestSchema,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js';
import {
  InMemoryTransport as MemoryV2,
  McpServer as McpServerV2,
  Server as ServerV2,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

import {
  guardMcpServer,
  guardOf,
  guardTool,
  type GuardableServer,
  type McpGuardOptions,
} from '../src/index.js';
import { connections, open } from './connections.js';
import { codeOf, toolCall, type RawAnswer } from './raw.js';

const once = { maxRequests: 1, windowMs: 60_000 };
const info = { name: 'test', version: '1.0.0' };
const done = { content: [{ type: 'text' as const, text: 'done' }] };

let guard: GuardManager;

beforeEach(async () => {
  guard = await createGuardManager({ config: { enabled: true, defaultRateLimit: once } });
});

afterEach(() => guard.destroy());

/** Speaks JSON-RPC with a server, without a client. */
async function wire(server: McpServerV1 | ServerV1 | McpServerV2 | ServerV2): Promise<{
  ask(message: object): Promise<RawAnswer>;
  say(message: object): Promise<void>;
  close(): Promise<void>;
}> {
  const isV1 = server instanceof McpServerV1 || server instanceof ServerV1;
  const [near, far] = isV1 ? MemoryV1.createLinkedPair() : MemoryV2.createLinkedPair();
  await (server as McpServerV1).connect(far);
  const waiting = new Map<unknown, (answer: RawAnswer) => void>();
  near.onmessage = (message: unknown) => {
    const answer = message as RawAnswer;
    waiting.get(answer.id)?.(answer);
  };
  await near.start();
  const say = (message: object) => near.send({ jsonrpc: '2.0', ...message } as JSONRPCMessage);
  return {
    say,
    ask: (message) =>
      new Promise((resolve, reject) => {
        waiting.set((message as RawAnswer).id, resolve);
        say(message).catch(reject);
      }),
    close: () => near.close(),
  };
}

const versions = [
  { version: 'v1', McpServer: McpServerV1, Server: ServerV1 },
  { version: 'v2', McpServer: McpServerV2, Server: ServerV2 },
] as const;

describe.each(connections.filter(({ transport }) => transport === 'memory'))(
  '$name',
  (connection) => {
    test.each(['first', 'last', 'up front'] as const)(
      '[GM-26] a server that is guarded %s is guarded',
      async (moment) => {
        const options: McpGuardOptions = {
          guard,
          tools: { hold: { timeout: { executeMs: 30 }, rateLimit: false } },
          prompts: { greet: { rateLimit: once } },
          resources: { 'memo://one': { rateLimit: once } },
        };
        const { client, close } = await open(connection, options, { moment });
        expect((await client.call('quick')).guard).toBeUndefined();
        expect((await client.call('quick')).guard).toMatchObject({ entity: 'quick' });
        expect((await client.call('hold')).guard).toMatchObject({ code: 'EXECUTION_TIMEOUT' });
        await client.getPrompt('greet');
        await expect(client.getPrompt('greet')).rejects.toMatchObject({ code: 429 });
        await client.readResource('memo://one');
        await expect(client.readResource('memo://one')).rejects.toMatchObject({ code: 429 });
        await close();
      },
    );
  },
);

describe.each(versions)('SDK $version', ({ version, McpServer, Server }) => {
  const newServer = (): McpServerV1 => new McpServer(info) as McpServerV1;
  const newSdkServer = (): ServerV1 =>
    new Server(info, { capabilities: { tools: {} } }) as ServerV1;

  test('a server that is connected is guarded like any other', async () => {
    const server = newServer();
    server.registerTool('quick', {}, () => done);
    const { ask, close } = await wire(server);
    guardMcpServer(server, { guard });
    expect(codeOf(await ask(toolCall('quick', 1)))).toBeUndefined();
    expect(codeOf(await ask(toolCall('quick', 2)))).toBe('RATE_LIMIT_EXCEEDED');
    await close();
  });

  test('a low-level server is guarded, its handler set before or after', async () => {
    for (const isFirst of [true, false]) {
      const server = newSdkServer();
      const set = () =>
        version === 'v1'
          ? server.setRequestHandler(CallToolRequestSchema, () => done)
          : (server as unknown as ServerV2).setRequestHandler('tools/call', () => done);
      if (!isFirst) set();
      guardMcpServer(server, { guard });
      if (isFirst) set();
      const { ask, close } = await wire(server);
      const tool = `tool-${String(isFirst)}`;
      expect(codeOf(await ask(toolCall(tool, 1)))).toBeUndefined();
      expect(codeOf(await ask(toolCall(tool, 2)))).toBe('RATE_LIMIT_EXCEEDED');
      await close();
    }
  });

  test.each(['with more than the SDK reads', 'past the method of the server'])(
    'a handler that is set %s is guarded',
    async (how) => {
      const server = newSdkServer();
      guardMcpServer(server, { guard });
      const set = (Server.prototype as ServerV1).setRequestHandler.bind(server);
      const method = (version === 'v1' ? CallToolRequestSchema : 'tools/call') as never;
      // One that the server does not take leaves nothing open.
      const other = (version === 'v1' ? GetPromptRequestSchema : 'prompts/get') as never;
      expect(() => server.setRequestHandler(other, () => done as never)).toThrow('prompts');
      if (how.startsWith('past')) set(method, () => done as never);
      else
        (server.setRequestHandler as typeof Reflect.apply)(method, () => done, undefined as never);
      const { ask, close } = await wire(server);
      expect(codeOf(await ask(toolCall('quick', 1)))).toBeUndefined();
      expect(codeOf(await ask(toolCall('quick', 2)))).toBe('RATE_LIMIT_EXCEEDED');
      await close();
    },
  );

  test('a handler that is removed is gone, and the next one guarded', async () => {
    const server = newSdkServer();
    guardMcpServer(server, { guard });
    const method = (version === 'v1' ? CallToolRequestSchema : 'tools/call') as never;
    server.setRequestHandler(method, () => done as never);
    const { ask, close } = await wire(server);
    await ask(toolCall('quick', 1));
    server.removeRequestHandler('tools/call');
    expect((await ask(toolCall('quick', 2))).error).toMatchObject({ message: 'Method not found' });
    server.setRequestHandler(method, () => done as never);
    expect(codeOf(await ask(toolCall('quick', 3)))).toBe('RATE_LIMIT_EXCEEDED');
    await close();
  });

  test('a handler that takes the place of another is guarded, and one for another method is left alone', async () => {
    const server = newServer();
    guardMcpServer(server, { guard });
    server.registerTool('quick', {}, () => done);
    if (version === 'v1') {
      server.server.setRequestHandler(CallToolRequestSchema, () => done);
      server.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [] }));
    } else {
      const { server: sdkServer } = server as unknown as McpServerV2;
      sdkServer.setRequestHandler('tools/call', () => done);
      sdkServer.setRequestHandler('tools/list', () => ({ tools: [] }));
    }
    const { ask, close } = await wire(server);
    await ask(toolCall('quick', 1));
    expect(codeOf(await ask(toolCall('quick', 2)))).toBe('RATE_LIMIT_EXCEEDED');
    for (const id of [3, 4]) {
      expect(await ask({ id, method: 'tools/list', params: {} })).toMatchObject({
        result: { tools: [] },
      });
    }
    await close();
  });

  test.each([true, false])(
    'the handler of what has no handler is guarded, set before: %s',
    async (isBefore) => {
      const server = newSdkServer();
      const seen: string[] = [];
      const fallback = async ({ method }: { method: string }) => {
        seen.push(method);
        return done;
      };
      const sdkServer = server as unknown as {
        fallbackRequestHandler?: typeof fallback | undefined;
      };
      if (isBefore) sdkServer.fallbackRequestHandler = fallback;
      guardMcpServer(server, { guard });
      if (!isBefore) sdkServer.fallbackRequestHandler = fallback;
      const { ask, close } = await wire(server);
      await ask(toolCall('quick', 1));
      expect(codeOf(await ask(toolCall('quick', 2)))).toBe('RATE_LIMIT_EXCEEDED');
      await ask({ id: 3, method: 'test/other', params: {} });
      await ask({ id: 4, method: 'test/other', params: {} });
      expect(seen).toEqual(['tools/call', 'test/other', 'test/other']);
      // Set once more, it is wrapped twice and counted once.
      const handler = sdkServer.fallbackRequestHandler;
      sdkServer.fallbackRequestHandler = handler;
      expect(codeOf(await ask(toolCall('other', 5)))).toBeUndefined();
      expect(() => delete sdkServer.fallbackRequestHandler).toThrow(TypeError);
      sdkServer.fallbackRequestHandler = undefined;
      expect(await ask({ id: 6, method: 'test/other', params: {} })).toMatchObject({
        error: { message: 'Method not found' },
      });
      await close();
    },
  );

  test('a server that is built for each request has the guarded tools that it was built with', async () => {
    const byUser = { ...once, partitionBy: 'userId' } as const;
    const serve = async (user: string) => {
      const server = newServer();
      const options = { guard, rateLimit: byUser, context: () => ({ userId: user }) };
      server.registerTool(
        'quick',
        {},
        guardTool('quick', options, () => done),
      );
      return wire(guardMcpServer(server, { guard }));
    };
    const ada = [await serve('ada'), await serve('ada')] as const;
    const bob = await serve('bob');
    expect(codeOf(await ada[0].ask(toolCall('quick', 1)))).toBeUndefined();
    expect(codeOf(await ada[1].ask(toolCall('quick', 1)))).toBe('RATE_LIMIT_EXCEEDED');
    expect(codeOf(await bob.ask(toolCall('quick', 1)))).toBeUndefined();
    await Promise.all([...ada, bob].map(({ close }) => close()));
  });

  test('completions are counted together', async () => {
    const server = newServer();
    guardMcpServer(server, { guard, completions: { rateLimit: { ...once, maxRequests: 2 } } });
    if (version === 'v1') {
      const template = new ResourceTemplate('memo://{id}', {
        list: undefined,
        complete: { id: () => ['one'] },
      });
      server.registerResource('memo', template, {}, () => ({ contents: [] }));
      server.server.setRequestHandler(CompleteRequestSchema, () => ({
        completion: { values: [] },
      }));
    } else {
      const { server: sdkServer } = server as unknown as McpServerV2;
      sdkServer.registerCapabilities({ completions: {} });
      sdkServer.setRequestHandler('completion/complete', () => ({ completion: { values: [] } }));
    }
    const { ask, close } = await wire(server);
    const complete = (id: number, name: string) =>
      ask({
        id,
        method: 'completion/complete',
        params: { ref: { type: 'ref/prompt', name }, argument: { name: 'a', value: '' } },
      });
    expect(codeOf(await complete(1, 'a'))).toBeUndefined();
    expect(codeOf(await complete(2, 'b'))).toBeUndefined();
    expect((await complete(3, 'c')).error).toMatchObject({
      code: 429,
      data: { entity: 'completion/complete' },
    });
    await close();
  });

  test('a cancel on the wire frees the slot of a call that runs', async () => {
    const server = newServer();
    let reason: unknown;
    let run: () => void = () => undefined;
    let stop: () => void = () => undefined;
    const running = new Promise<void>((resolve) => (run = resolve));
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    guardMcpServer(server, {
      guard,
      tools: { hold: { rateLimit: false, concurrency: { maxConcurrent: 1 } } },
    });
    server.registerTool('hold', {}, async (extra) => {
      const { mcpReq } = extra as unknown as { mcpReq?: { signal: AbortSignal } };
      const signal = mcpReq?.signal ?? extra.signal;
      run();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      reason = signal.reason;
      stop();
      return done;
    });
    const { ask, say, close } = await wire(server);
    void ask(toolCall('hold', 'a'));
    await running;
    expect(codeOf(await ask(toolCall('hold', 'b')))).toBe('CONCURRENCY_LIMIT');
    await say({ method: 'notifications/cancelled', params: { requestId: 'a', reason: 'enough' } });
    await stopped;
    expect(reason).toBe('enough');
    const { allowed } = await guard.checkRateLimit('x', once, undefined);
    expect(allowed).toBe(true);
    const ticket = await guard.acquireSemaphore(
      'hold',
      { maxConcurrent: 1, queueTimeoutMs: 5_000 },
      undefined,
    );
    expect(ticket).not.toBeNull();
    await ticket?.release();
    await close();
  });

  test('a call that asks for a task is refused by an error', async () => {
    const capabilities = { tools: {}, tasks: { requests: { tools: { call: {} } } } };
    const server = new Server(info, { capabilities }) as ServerV1;
    guardMcpServer(server, { guard });
    if (version === 'v1') server.setRequestHandler(CallToolRequestSchema, () => done);
    else (server as unknown as ServerV2).setRequestHandler('tools/call', () => done);
    const { ask, close } = await wire(server);
    await ask(toolCall('quick', 1));
    const params = { name: 'quick', arguments: {}, task: { ttl: 1_000 } };
    expect((await ask({ id: 2, method: 'tools/call', params })).error).toMatchObject({
      code: 429,
      data: { code: 'RATE_LIMIT_EXCEEDED' },
    });
    await close();
  });

  test('a name of any length makes no key of its own', async () => {
    const server = newSdkServer();
    guardMcpServer(server, { guard });
    if (version === 'v1') server.setRequestHandler(CallToolRequestSchema, () => done);
    else (server as unknown as ServerV2).setRequestHandler('tools/call', () => done);
    const { ask, close } = await wire(server);
    expect(codeOf(await ask(toolCall('a'.repeat(129), 1)))).toBeUndefined();
    expect(codeOf(await ask(toolCall('b'.repeat(5_000), 2)))).toBe('RATE_LIMIT_EXCEEDED');
    expect(codeOf(await ask(toolCall('a'.repeat(128), 3)))).toBeUndefined();
    await close();
  });

  test('a server cannot be guarded twice', () => {
    const server = newServer();
    expect(guardMcpServer(server, { guard })).toBe(server);
    const twice = new GuardConfigError(
      'The server is guarded already: its calls would be counted twice',
    );
    expect(() => guardMcpServer(server, { guard })).toThrow(twice);
    expect(() => guardMcpServer(server.server, { guard })).toThrow(twice);
  });

  test('a server whose handlers cannot be reached is not left unguarded', () => {
    const server = new McpServer(info, { capabilities: { tools: {} } });
    Object.defineProperty(server.server, '_requestHandlers', { value: undefined });
    // What is known of the handlers is known by their table: the server says that there is one.
    Object.defineProperty(server.server, 'assertCanSetRequestHandler', {
      value: (method: string) => {
        if (method === 'tools/call') throw new Error('There is one');
      },
    });
    expect(() => guardMcpServer(server as GuardableServer, { guard })).toThrow(
      'The server has a handler for tools/call that cannot be guarded: call guardMcpServer before anything is registered, and make the server without the capability',
    );
  });

  test('guardOf gives the guard', async () => {
    const server = newServer();
    await expect(guardOf(server)).rejects.toThrow(TypeError);
    guardMcpServer(server, { guard });
    expect(await guardOf(server)).toBe(guard);
    expect(await guardOf(server.server)).toBe(guard);
  });
});

test.each([[undefined], [null], [{}], [{ server: {} }], ['server']])(
  '%j is no server',
  (server) => {
    expect(() => guardMcpServer(server as never, { guard })).toThrow(
      new TypeError('guardMcpServer needs an McpServer or a Server of the MCP SDK'),
    );
  },
);

test('a handler of SDK v2 that gets its parameters is guarded by their name', async () => {
  const server = guardMcpServer(new ServerV2(info, { capabilities: { tools: {} } }), { guard });
  const seen: unknown[] = [];
  server.setRequestHandler('tools/call', { params: z.looseObject({}) }, (params) => {
    seen.push(params['name']);
    return done;
  });
  const { ask, close } = await wire(server);
  expect(codeOf(await ask(toolCall('one', 1)))).toBeUndefined();
  expect(codeOf(await ask(toolCall('two', 2)))).toBeUndefined();
  const refused = await ask(toolCall('two', 3));
  expect(codeOf(refused)).toBe('RATE_LIMIT_EXCEEDED');
  expect(seen).toEqual(['one', 'two']);
  await close();
});

test('a server that does not say which handlers it has cannot be guarded', () => {
  expect(() => guardMcpServer({ setRequestHandler: () => undefined }, { guard })).toThrow(
    'The server does not say which handlers it has: this version of the SDK cannot be guarded',
  );
});

test('a handler for nobody knows what is an error', () => {
  const server = guardMcpServer(new McpServerV1(info), { guard }).server;
  expect(() => server.setRequestHandler({} as never, () => done as never)).toThrow(
    'Cannot tell which method the request handler is for',
  );
});

test('what the SDK gives to a handler is all there', async () => {
  const seen: unknown[] = [];
  const server = guardMcpServer(new McpServerV1(info, { capabilities: { logging: {} } }), {
    guard,
  });
  server.registerTool('quick', {}, async (extra) => {
    await extra.sendNotification({
      method: 'notifications/message',
      params: { level: 'info', data: 'hi' },
    });
    seen.push(Object.keys(extra).sort(), extra.requestId, extra.signal.aborted);
    return done;
  });
  const { ask, close } = await wire(server);
  await ask(toolCall('quick', 'id-1'));
  expect(seen).toEqual([
    [
      '_meta',
      'authInfo',
      'closeSSEStream',
      'closeStandaloneSSEStream',
      'requestId',
      'requestInfo',
      'sendNotification',
      'sendRequest',
      'sessionId',
      'signal',
      'taskId',
      'taskRequestedTtl',
      'taskStore',
    ],
    'id-1',
    false,
  ]);
  await close();
});

test('what SDK v2 gives to a handler is all there', async () => {
  const seen: unknown[] = [];
  const server = guardMcpServer(new McpServerV2(info, { capabilities: { logging: {} } }), {
    guard,
  });
  server.registerTool('quick', {}, async (ctx) => {
    await ctx.mcpReq.log('info', 'hi');
    seen.push(
      Object.keys(ctx).sort(),
      ctx.mcpReq.id,
      ctx.mcpReq.requestState(),
      typeof ctx.mcpReq.send,
    );
    return done;
  });
  const { ask, close } = await wire(server);
  await ask(toolCall('quick', 'id-1'));
  expect(seen).toEqual([['http', 'mcpReq', 'sessionId'], 'id-1', undefined, 'function']);
  await close();
});
