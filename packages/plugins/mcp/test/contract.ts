import type { Answer } from './clients.js';
import { open, type Connection, type Session } from './connections.js';
import type { FixtureOptions } from './fixture.js';
import { until, waitAsTold } from './until.js';

const once = { maxRequests: 1, windowMs: 60_000 };
/** Short, so that a test can wait for it. A slow machine may need more than one call to be over it. */
const brief = { maxRequests: 1, windowMs: 300 };
const single = { maxConcurrent: 1 };
/** A port that nobody listens on. */
const away = {
  type: 'redis',
  redis: { url: 'redis://127.0.0.1:1' },
  timeoutMs: 200,
  fallback: 'error',
} as const;

interface Case {
  readonly name: string;
  readonly options: FixtureOptions;
  run(session: Session, connection: Connection): Promise<void>;
}

const cases: Case[] = [
  {
    name: '[GM-26] a call within the limits gets the answer of its tool',
    options: {
      throttle: {
        enabled: true,
        global: once,
        globalConcurrency: single,
        defaultTimeout: { executeMs: 60_000 },
      },
      tools: { quick: { rateLimit: once, concurrency: single } },
    },
    run: async ({ client }) => {
      expect(await client.call('quick')).toMatchObject({ text: 'done', isError: false });
    },
  },
  {
    name: '[GM-26] a call over the global rate limit is refused, and let in after the time that it is told',
    options: { throttle: { enabled: true, global: brief } },
    run: async ({ client }) => {
      await client.call('quick');
      const refused = await until(() => client.call('other'), isRefused);
      expect(refused).toMatchObject({
        isError: true,
        text: 'The rate limit of this server is reached (at most 1 call in 300 ms). Wait 1 second, then call again.',
        guard: {
          code: 'RATE_LIMIT_EXCEEDED',
          entity: 'other',
          scope: 'global',
          limit: 1,
          remaining: 0,
          windowMs: 300,
        },
      });
      expect(refused.raw).not.toHaveProperty('structuredContent');
      const { retryAfterMs = 0, resetMs = 0 } = refused.guard ?? {};
      expect(retryAfterMs).toBeGreaterThan(0);
      expect(retryAfterMs).toBeLessThanOrEqual(600);
      expect(resetMs).toBeLessThanOrEqual(300);
      await waitAsTold(retryAfterMs);
      expect(await client.call('other')).toMatchObject({ text: 'done' });
    },
  },
  {
    name: '[GM-26] a call over the rate limit of its tool is refused, and other tools are not',
    options: { throttle: { enabled: true }, tools: { quick: { rateLimit: brief } } },
    run: async ({ client }) => {
      await client.call('quick');
      const refused = await until(() => client.call('quick'), isRefused);
      expect(refused).toMatchObject({
        isError: true,
        text: expect.stringContaining('The rate limit of this tool is reached') as string,
        guard: { code: 'RATE_LIMIT_EXCEEDED', entity: 'quick', scope: 'entity' },
      });
      expect(await client.call('other')).toMatchObject({ text: 'done' });
      await waitAsTold(refused.guard?.retryAfterMs);
      expect(await client.call('quick')).toMatchObject({ text: 'done' });
    },
  },
  {
    name: '[GM-26] a call without a slot of its tool is refused, and gets one when the running call has ended',
    options: { throttle: { enabled: true }, tools: { hold: { concurrency: single } } },
    run: async ({ client }) => {
      const first = client.call('hold');
      await client.call('one-inside');
      expect(await client.call('hold')).toMatchObject({
        isError: true,
        text: 'Too many calls of this tool are running (at most 1 at once). Call again when one of them has ended.',
        guard: {
          code: 'CONCURRENCY_LIMIT',
          entity: 'hold',
          scope: 'entity',
          limit: 1,
          remaining: 0,
        },
      });
      expect(await client.call('quick')).toMatchObject({ text: 'done' });
      await client.call('release');
      expect(await first).toMatchObject({ text: 'held' });
      const second = client.call('hold');
      await client.call('one-inside');
      await client.call('release');
      expect(await second).toMatchObject({ text: 'held' });
    },
  },
  {
    name: 'a call without a global slot is refused',
    options: { throttle: { enabled: true, globalConcurrency: single } },
    run: async ({ client }) => {
      const first = client.call('hold');
      await client.call('one-inside');
      expect(await client.call('quick')).toMatchObject({
        text: expect.stringContaining('Too many calls of this server are running') as string,
        guard: { code: 'CONCURRENCY_LIMIT', entity: 'quick', scope: 'global' },
      });
      await client.call('release');
      await first;
      expect(await client.call('quick')).toMatchObject({ text: 'done' });
    },
  },
  {
    name: 'a call that waits for a slot gets it, or is refused when its time in the queue is over',
    options: {
      throttle: { enabled: true },
      tools: {
        hold: { concurrency: { maxConcurrent: 1, queueTimeoutMs: 50 } },
        stubborn: { concurrency: { maxConcurrent: 1, queueTimeoutMs: 60_000 } },
      },
    },
    run: async ({ client }) => {
      const first = client.call('hold');
      await client.call('one-inside');
      expect(await client.call('hold')).toMatchObject({
        isError: true,
        guard: { code: 'QUEUE_TIMEOUT', entity: 'hold', scope: 'entity' },
      });
      await client.call('release');
      await first;
      const running = client.call('stubborn');
      await client.call('one-inside');
      const waiting = client.call('stubborn');
      await client.call('release');
      expect(await running).toMatchObject({ text: 'held' });
      await client.call('one-inside');
      await client.call('release');
      expect(await waiting).toMatchObject({ text: 'held' });
    },
  },
  {
    name: '[GM-26] a call that takes too long is given up, and its slot is free when its handler listens',
    options: {
      throttle: { enabled: true },
      tools: { hold: { timeout: { executeMs: 40 }, concurrency: single } },
    },
    run: async ({ client }) => {
      const timedOut = {
        isError: true,
        text: 'The call took longer than the 40 ms that this tool may take, and was given up. Ask for less at once.',
        guard: { code: 'EXECUTION_TIMEOUT', entity: 'hold' },
      };
      expect(await client.call('hold')).toMatchObject(timedOut);
      await client.call('none-inside');
      const again = await until(
        () => client.call('hold'),
        ({ guard }) => guard?.code !== 'CONCURRENCY_LIMIT',
      );
      expect(again).toMatchObject(timedOut);
    },
  },
  {
    name: 'a tool that outlives its timeout keeps its slot until it settles',
    options: {
      throttle: { enabled: true },
      tools: { stubborn: { timeout: { executeMs: 40 }, concurrency: single } },
    },
    run: async ({ client }) => {
      const code = async () => (await client.call('stubborn')).guard?.code;
      expect(await code()).toBe('EXECUTION_TIMEOUT');
      expect(await code()).toBe('CONCURRENCY_LIMIT');
      expect(await code()).toBe('CONCURRENCY_LIMIT');
      await client.call('release');
      await client.call('none-inside');
      expect(await until(code, (one) => one !== 'CONCURRENCY_LIMIT')).toBe('EXECUTION_TIMEOUT');
      await client.call('release');
      await client.call('none-inside');
    },
  },
  {
    name: 'a call that its client cancels gives its slot back as soon as its handler settles',
    options: { throttle: { enabled: true }, tools: { hold: { concurrency: single } } },
    run: async ({ client }, connection) => {
      const caller = new AbortController();
      const first = client.call('hold', caller.signal);
      await client.call('one-inside');
      caller.abort('no longer wanted');
      await expect(first).rejects.toThrow();
      // The cancel of a 2025 client goes to another server where there is one per request.
      if (!reachesHandler(connection)) {
        expect(await client.call('hold')).toMatchObject({ guard: { code: 'CONCURRENCY_LIMIT' } });
        await client.call('release');
      }
      await client.call('none-inside');
      let second = client.call('hold');
      await client.call('one-inside');
      await client.call('release');
      for (;;) {
        const { text, guard } = await second;
        if (guard?.code !== 'CONCURRENCY_LIMIT') {
          expect(text).toBe('held');
          break;
        }
        second = client.call('hold');
      }
    },
  },
  {
    name: 'a call that its client cancels while it waits for a slot never runs, and takes none',
    options: {
      throttle: { enabled: true },
      tools: { hold: { concurrency: { maxConcurrent: 1, queueTimeoutMs: 60_000 } } },
    },
    run: async ({ client }, connection) => {
      const caller = new AbortController();
      const first = client.call('hold');
      await client.call('one-inside');
      const waiting = client.call('hold', caller.signal);
      await client.call('two-arrived');
      caller.abort('no longer wanted');
      await expect(waiting).rejects.toThrow();
      const isCancelled = reachesHandler(connection);
      if (isCancelled) await client.call('one-cancelled');
      await client.call('release');
      expect(await first).toMatchObject({ text: 'held' });
      if (!isCancelled) {
        await client.call('one-inside');
        await client.call('release');
      }
      await client.call('none-inside');
      const third = client.call('hold');
      await client.call('one-inside');
      await client.call('release');
      expect(await third).toMatchObject({ text: 'held' });
      expect(await client.call('entered')).toMatchObject({ text: isCancelled ? '2' : '3' });
    },
  },
  {
    name: 'what a handler throws goes on as it is, and the slot is free',
    options: { throttle: { enabled: true }, tools: { fail: { concurrency: single } } },
    run: async ({ client }) => {
      for (let times = 0; times < 2; times += 1) {
        const failed = await client.call('fail');
        expect(failed).toMatchObject({ text: 'broken', isError: true });
        expect(failed.guard).toBeUndefined();
      }
    },
  },
  {
    name: 'a client that knows the output schema of a tool takes a refusal for what it is',
    options: { throttle: { enabled: true }, tools: { structured: { rateLimit: once } } },
    run: async ({ client }) => {
      await client.listTools();
      expect((await client.call('structured')).raw).toMatchObject({
        structuredContent: { ok: true },
      });
      const refused = await client.call('structured');
      expect(refused).toMatchObject({ isError: true, guard: { code: 'RATE_LIMIT_EXCEEDED' } });
      expect(refused.raw).not.toHaveProperty('structuredContent');
    },
  },
  {
    name: 'resources and prompts have limits of their own, and are refused by an error',
    options: {
      throttle: { enabled: true },
      resources: { 'memo://{id}': { rateLimit: once } },
      prompts: { greet: { rateLimit: once } },
    },
    run: async ({ client }) => {
      await client.readResource('memo://one');
      await expect(client.readResource('memo://one')).rejects.toMatchObject({
        code: 429,
        message: expect.stringContaining('The rate limit of this resource is reached') as string,
        data: {
          code: 'RATE_LIMIT_EXCEEDED',
          entity: 'resources/read memo://{id}',
          scope: 'entity',
        },
      });
      await client.getPrompt('greet');
      await expect(client.getPrompt('greet')).rejects.toMatchObject({
        code: 429,
        message: expect.stringContaining('The rate limit of this prompt is reached') as string,
        data: { code: 'RATE_LIMIT_EXCEEDED', entity: 'prompts/get greet', scope: 'entity' },
      });
    },
  },
  {
    name: 'a refusal by an error has the code and the numbers',
    options: {
      throttle: { enabled: true },
      tools: { quick: { rateLimit: once } },
      refuse: 'error',
      errorCode: -32_023,
    },
    run: async ({ client }) => {
      await client.call('quick');
      await expect(client.call('quick')).rejects.toMatchObject({
        code: -32_023,
        data: {
          code: 'RATE_LIMIT_EXCEEDED',
          entity: 'quick',
          limit: 1,
          retryAfterMs: expect.any(Number) as number,
        },
      });
    },
  },
  {
    name: 'tools that do not exist share one count, which is not that of a tool',
    options: { throttle: { enabled: true, defaultRateLimit: once } },
    run: async ({ client }) => {
      await client.call('nothing').catch(() => undefined);
      expect(await client.call('nothing-else')).toMatchObject({
        guard: { code: 'RATE_LIMIT_EXCEEDED', entity: 'tools/call' },
      });
      expect(await client.call('quick')).toMatchObject({ text: 'done' });
      expect(await client.call('other')).toMatchObject({ text: 'done' });
      expect(await client.call('quick')).toMatchObject({ guard: { entity: 'quick' } });
    },
  },
  {
    name: '[GM-26] a tool whose limits are false is not guarded at all',
    options: {
      throttle: { enabled: true, global: once, ipFilter: { defaultAction: 'deny' } },
      tools: { quick: false },
    },
    run: async ({ client }) => {
      expect(await client.call('quick')).toMatchObject({ text: 'done' });
      expect(await client.call('quick')).toMatchObject({ text: 'done' });
      expect(await client.call('other')).toMatchObject({
        isError: true,
        text: 'This server does not take calls from this network. Do not call again.',
        guard: { code: 'IP_NOT_ALLOWED', entity: 'other' },
      });
    },
  },
  {
    name: 'a guard that is not enabled lets everything through, its storage away or not',
    options: { throttle: { enabled: false, global: once, storage: away } },
    run: async ({ client }) => {
      expect(await client.call('quick')).toMatchObject({ text: 'done' });
      expect(await client.call('quick')).toMatchObject({ text: 'done' });
    },
  },
  {
    name: 'nobody is let in while the storage is away',
    options: { throttle: { enabled: true, global: once, storage: away } },
    run: async ({ client }) => {
      const refused = await client.call('quick');
      expect(refused).toMatchObject({
        isError: true,
        text: 'The server cannot check its limits at the moment. Call again later.',
        guard: { code: 'GUARD_STORAGE_UNAVAILABLE', entity: 'tools/call' },
      });
      expect(JSON.stringify(refused.raw)).not.toContain('127.0.0.1');
    },
  },
  {
    name: 'failOpen lets calls in while the storage is away, with their timeout',
    options: {
      throttle: { enabled: true, global: once, storage: away },
      tools: { hold: { timeout: { executeMs: 40 } }, quick: { rateLimit: once } },
      failOpen: true,
    },
    run: async ({ client }) => {
      expect(await client.call('quick')).toMatchObject({ text: 'done' });
      expect(await client.call('quick')).toMatchObject({ text: 'done' });
      expect(await client.call('hold')).toMatchObject({ guard: { code: 'EXECUTION_TIMEOUT' } });
    },
  },
  {
    name: 'failOpen lets nobody in whom the IP filter keeps out',
    options: {
      throttle: { enabled: true, storage: away, ipFilter: { defaultAction: 'deny' } },
      failOpen: true,
    },
    run: async ({ client }) => {
      expect(await client.call('quick')).toMatchObject({ guard: { code: 'IP_NOT_ALLOWED' } });
    },
  },
];

/** Whether the cancel of a client comes to the server that runs the call. */
function reachesHandler({ client, transport }: Connection): boolean {
  return transport !== 'http, server per request' || client === 'v2 modern';
}

function isRefused({ guard }: Answer): boolean {
  return guard !== undefined;
}

/** Holds servers to the contract: what a client sees of a guard, whatever carries it. */
export function describeContract(over: readonly Connection[]): void {
  describe.each(over)('$name', (connection) => {
    test.each(cases)('$name', async ({ options, run }) => {
      const session = await open(connection, options);
      try {
        await run(session, connection);
      } finally {
        await session.close();
      }
    });
  });
}
