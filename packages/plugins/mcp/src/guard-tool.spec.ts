import { createGuardManager, GuardConfigError } from '@frontmcp/guard';
import type { GuardManager } from '@frontmcp/guard-manager';

import {
  guardMcpServer,
  guardTool,
  type GuardToolOptions,
  type McpRefusalResult,
} from './index.js';

const once = { maxRequests: 1, windowMs: 60_000 };
const answer = { content: [{ type: 'text' as const, text: 'done' }] };

let guard: GuardManager;

beforeEach(async () => {
  guard = await createGuardManager({
    config: { enabled: true, global: { maxRequests: 100, windowMs: 60_000 } },
  });
});

afterEach(() => guard.destroy());

let looks = 0;

/** How many calls the global limit has counted. */
async function counted(): Promise<number> {
  looks += 1;
  return 100 - looks - (await guard.checkGlobalRateLimit(undefined)).remaining;
}

beforeEach(() => (looks = 0));

/** The contexts of both SDKs, as far as they are read. */
const contexts = {
  v1: () => ({ signal: new AbortController().signal, requestId: 1 }),
  v2: () => ({ mcpReq: { id: 1, signal: new AbortController().signal } }),
};

type Context = ReturnType<(typeof contexts)['v1' | 'v2']>;

function codeOf(result: typeof answer | McpRefusalResult): string | undefined {
  return '_meta' in result ? result._meta['com.frontmcp/guard'].code : undefined;
}

/** A server of which only the table of handlers is real. */
class FakeServer {
  readonly handlers = new Map<string, (request: object, extra: unknown) => Promise<unknown>>();

  setRequestHandler(
    method: string,
    handler: (request: object, extra: unknown) => Promise<unknown>,
  ): void {
    this.handlers.set(method, handler);
  }

  assertCanSetRequestHandler(): void {
    // There is none yet.
  }

  call(name: string, extra: unknown): Promise<typeof answer | McpRefusalResult> {
    const handler = this.handlers.get('tools/call')!;
    return handler({ params: { name } }, extra) as Promise<typeof answer | McpRefusalResult>;
  }
}

describe.each(['v1', 'v2'] as const)('with the context of SDK %s', (version) => {
  const context = contexts[version];

  test('a tool over its limit answers with a refusal', async () => {
    const tool = guardTool(
      'export',
      { guard, rateLimit: once },
      (_args: { n: number }, _extra: Context) => answer,
    );
    expect(await tool({ n: 1 }, context())).toBe(answer);
    expect(await tool({ n: 1 }, context())).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('Wait ') as string }],
      _meta: { 'com.frontmcp/guard': { code: 'RATE_LIMIT_EXCEEDED', entity: 'export', limit: 1 } },
    });
  });

  test('a handler without arguments gets the context with a signal that the timeout aborts', async () => {
    let seen: Context | undefined;
    const tool = guardTool(
      'slow',
      { guard, timeout: { executeMs: 20 } },
      async (extra: Context) => {
        seen = extra;
        await new Promise((resolve) => signalOf(extra).addEventListener('abort', resolve));
        return answer;
      },
    );
    const given = context();
    expect(codeOf(await tool(given))).toBe('EXECUTION_TIMEOUT');
    expect(signalOf(seen!).aborted).toBe(true);
    expect(signalOf(given).aborted).toBe(false);
  });

  test('what the handler throws is thrown on, guard error or not', async () => {
    const own = new GuardConfigError('Of the tool itself');
    const tool = guardTool(
      'fail',
      { guard, concurrency: { maxConcurrent: 1 } },
      async (_extra: Context) => {
        throw own;
      },
    );
    await expect(tool(context())).rejects.toBe(own);
    await expect(tool(context())).rejects.toBe(own);
  });

  test('so is nothing at all', async () => {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- handlers of others do
    const tool = guardTool('fail', { guard }, (_extra: Context) => Promise.reject<typeof answer>());
    await expect(tool(context())).rejects.toBeUndefined();
  });

  test('the context function and the hook are given the call', async () => {
    const calls: unknown[] = [];
    const options: GuardToolOptions = {
      guard,
      rateLimit: { ...once, partitionBy: 'userId' },
      context: ({ params }) => ({ userId: (params['arguments'] as { user: string }).user }),
      onRefused: (error, call) => calls.push(error.code, call.method, call.params),
    };
    const tool = guardTool('greet', options, (_args: { user: string }, _extra: Context) => answer);
    await tool({ user: 'ada' }, context());
    expect(codeOf(await tool({ user: 'bob' }, context()))).toBeUndefined();
    expect(codeOf(await tool({ user: 'ada' }, context()))).toBe('RATE_LIMIT_EXCEEDED');
    expect(calls).toEqual([
      'RATE_LIMIT_EXCEEDED',
      'tools/call',
      { name: 'greet', arguments: { user: 'ada' } },
    ]);
  });

  test('a handler that ends by the reason of its signal has timed out', async () => {
    const tool = guardTool('slow', { guard, timeout: { executeMs: 20 } }, (extra: Context) => {
      const signal = signalOf(extra);
      return new Promise<typeof answer>((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    });
    expect(codeOf(await tool(context()))).toBe('EXECUTION_TIMEOUT');
  });

  test('the cancel of the client goes on with its reason', async () => {
    const caller = new AbortController();
    const given =
      version === 'v1' ? { signal: caller.signal } : { mcpReq: { signal: caller.signal } };
    const tool = guardTool('slow', { guard }, (_extra: object) => {
      caller.abort('enough');
      return new Promise<typeof answer>(() => undefined);
    });
    await expect(tool(given)).rejects.toBe('enough');
  });

  test('slots of what never ends are free after maxOverrunMs', async () => {
    const tool = guardTool(
      'stuck',
      { guard, timeout: { executeMs: 20 }, concurrency: { maxConcurrent: 1 }, maxOverrunMs: 0 },
      (_extra: Context) => new Promise<typeof answer>(() => undefined),
    );
    const code = async () => codeOf(await tool(context()));
    expect(await code()).toBe('EXECUTION_TIMEOUT');
    let next = await code();
    while (next === 'CONCURRENCY_LIMIT') {
      await new Promise((resolve) => setTimeout(resolve));
      next = await code();
    }
    expect(next).toBe('EXECUTION_TIMEOUT');
  });

  describe('on a server that is guarded as well', () => {
    const serverWith = (
      tool: (extra: never) => Promise<unknown>,
      options: Omit<Parameters<typeof guardMcpServer>[1], 'throttle' | 'guard'> & {
        guard?: GuardManager;
      } = {},
    ): FakeServer => {
      const server = guardMcpServer(new FakeServer(), { guard, ...options });
      server.setRequestHandler('tools/call', (_request, extra) => tool(extra as never));
      return server;
    };

    test('a call is counted once, with the limits of the tool', async () => {
      const tool = guardTool('export', { guard, rateLimit: once }, (_extra: Context) => answer);
      const server = serverWith(tool);
      expect(await server.call('export', context())).toBe(answer);
      expect(await counted()).toBe(1);
      expect(codeOf(await server.call('export', context()))).toBe('RATE_LIMIT_EXCEEDED');
    });

    test('a tool that is made after the server is guarded is counted once, too', async () => {
      const server = guardMcpServer(new FakeServer(), { guard });
      const tool = guardTool('late', { guard, rateLimit: once }, (_extra: Context) => answer);
      server.setRequestHandler('tools/call', (_request, extra) => tool(extra as never));
      expect(codeOf(await server.call('late', context()))).toBeUndefined();
      expect(codeOf(await server.call('late', context()))).toBe('RATE_LIMIT_EXCEEDED');
    });

    test('the limits of the server go before those of the tool, field by field', async () => {
      const tool = guardTool(
        'export',
        { guard, rateLimit: once, concurrency: { maxConcurrent: 1 }, timeout: { executeMs: 20 } },
        (_extra: Context) => new Promise<typeof answer>(() => undefined),
      );
      const server = serverWith(tool, {
        tools: { export: { rateLimit: { ...once, maxRequests: 2 } } },
      });
      expect(codeOf(await server.call('export', context()))).toBe('EXECUTION_TIMEOUT');
      expect(codeOf(await server.call('export', context()))).toBe('CONCURRENCY_LIMIT');
    });

    test('the context of the tool says who calls when that of the server does not', async () => {
      const partitioned = { ...once, partitionBy: 'userId' } as const;
      const tool = guardTool(
        'mine',
        { guard, rateLimit: partitioned, context: () => ({ userId: 'of the tool' }) },
        (_extra: Context) => answer,
      );
      await serverWith(tool).call('mine', context());
      const of = (userId: string) =>
        guard.checkRateLimit('mine', partitioned, { sessionId: 's', userId });
      expect((await of('of the tool')).allowed).toBe(false);
      const server = serverWith(tool, { context: () => ({ userId: 'of the server' }) });
      await server.call('mine', context());
      expect((await of('of the server')).allowed).toBe(false);
    });

    test('a tool that the server leaves unguarded is guarded by itself', async () => {
      const tool = guardTool('export', { guard, rateLimit: once }, (_extra: Context) => answer);
      const server = serverWith(tool, { tools: { export: false } });
      await server.call('export', context());
      expect(codeOf(await server.call('export', context()))).toBe('RATE_LIMIT_EXCEEDED');
    });

    test('another guard counts on its own', async () => {
      const other = await createGuardManager({ config: { enabled: true, global: once } });
      const tool = guardTool('export', { guard }, (_extra: Context) => answer);
      const server = serverWith(tool, { guard: other });
      await server.call('export', context());
      expect(await counted()).toBe(1);
      expect(codeOf(await server.call('export', context()))).toBe('RATE_LIMIT_EXCEEDED');
      expect(await counted()).toBe(1);
      await other.destroy();
    });

    test('a call that meets two guards in turns is counted once by each', async () => {
      const other = await createGuardManager({ config: { enabled: true, global: once } });
      const inner = guardTool('export', { guard, rateLimit: once }, (_extra: Context) => answer);
      const server = serverWith(
        guardTool('export', { guard: other }, (extra: Context) => inner(extra)),
      );
      expect(codeOf(await server.call('export', context()))).toBeUndefined();
      expect(await counted()).toBe(1);
      await other.destroy();
    });

    test('a tool within another is a call of its own', async () => {
      const inner = guardTool('inner', { guard, rateLimit: once }, (_extra: Context) => answer);
      const outer = guardTool('outer', { guard }, (extra: Context) => inner(extra));
      const server = serverWith(outer);
      expect(codeOf(await server.call('outer', context()))).toBeUndefined();
      expect(await counted()).toBe(2);
      expect(codeOf(await server.call('outer', context()))).toBe('RATE_LIMIT_EXCEEDED');
    });
  });
});

test('a guard that is not enabled asks nobody who calls', async () => {
  const off = await createGuardManager({ config: { enabled: false } });
  const context = () => {
    throw new Error('Not to be asked');
  };
  const tool = guardTool('free', { guard: off, rateLimit: once, context }, () => answer);
  expect(await tool()).toBe(answer);
  expect(await tool()).toBe(answer);
  await off.destroy();
});

test('a tool without a context is guarded', async () => {
  const tool = guardTool('bare', { guard, rateLimit: once }, () => answer);
  expect(await tool()).toBe(answer);
  expect(codeOf(await tool())).toBe('RATE_LIMIT_EXCEEDED');
});

test.each<[string, object, string]>([
  [
    'an unknown key',
    { ratelimit: once },
    'Unknown key "ratelimit" in the options of guardTool("x"), did you mean "rateLimit"?',
  ],
  [
    'a refusal by an error',
    { refuse: 'error' },
    'Unknown key "refuse" in the options of guardTool("x")',
  ],
  [
    'a limit',
    { rateLimit: { maxRequests: 0 } },
    'the options of guardTool("x") is invalid: rateLimit.maxRequests:',
  ],
])('%s is refused at once', (_what, options, message) => {
  expect(() => guardTool('x', { guard, ...options }, () => answer)).toThrow(message);
});

test('what is no guard is refused at once', () => {
  const options = { guard: createGuardManager({ config: { enabled: true } }) };
  expect(() => guardTool('x', options as never, () => answer)).toThrow(
    new TypeError(
      'guardTool needs a guard manager as guard, got object, await createGuardManager first',
    ),
  );
});

function signalOf(context: Context): AbortSignal {
  return 'mcpReq' in context ? context.mcpReq.signal : context.signal;
}
