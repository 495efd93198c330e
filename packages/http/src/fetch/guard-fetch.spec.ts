import { createGuardManager, type GuardConfig, type GuardManager } from '@frontmcp/guard-manager';

import { guardFetch } from './guard-fetch.js';

let manager: GuardManager;

async function open(config: Omit<GuardConfig, 'enabled'>): Promise<GuardManager> {
  manager = await createGuardManager({ config: { enabled: true, ...config } });
  return manager;
}

afterEach(() => manager.destroy());

const one = { defaultConcurrency: { maxConcurrent: 1 } };
const url = 'http://localhost/';

describe('guardFetch', () => {
  test('passes on what the runtime gives beside the request, to its functions as well', async () => {
    const seen: unknown[] = [];
    const see = (...args: unknown[]): undefined => {
      seen.push(args.slice(1));
      return undefined;
    };
    const guard = await open({ defaultRateLimit: { maxRequests: 1 } });
    const fetch = guardFetch<[string, number]>(
      (_request, ...rest) => new Response(JSON.stringify(rest)),
      { guard, remoteAddress: see, context: see, onRefused: (_refusal, ...args) => see(...args) },
    );
    expect(await (await fetch(new Request(url), 'env', 1)).json()).toEqual(['env', 1]);
    expect((await fetch(new Request(url), 'env', 1)).status).toBe(429);
    expect(seen).toEqual(Array.from({ length: 5 }, () => ['env', 1]));
  });

  test('answers what onRefused leaves to it', async () => {
    const guard = await open({ defaultRateLimit: { maxRequests: 1 } });
    const fetch = guardFetch(() => new Response(), {
      guard,
      onRefused: ({ status }) => (status === 429 ? undefined : new Response()),
    });
    await fetch(new Request(url));
    const refused = await fetch(new Request(url));
    expect(refused.status).toBe(429);
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
  });

  test('gives the slot of a HEAD request back though nobody looks at its body, which is let go', async () => {
    const cancel = jest.fn();
    const fetch = guardFetch(() => new Response(new ReadableStream({ cancel })), {
      guard: await open(one),
    });
    for (const _ of [1, 2]) {
      const response = await fetch(new Request(url, { method: 'HEAD' }));
      expect([response.status, response.body]).toEqual([200, null]);
    }
    expect(cancel).toHaveBeenCalledTimes(2);
  });

  test('holds the slot until the body is read, and gives it back when that is let go', async () => {
    const fetch = guardFetch(() => new Response('body'), { guard: await open(one) });
    const first = await fetch(new Request(url));
    expect((await fetch(new Request(url))).status).toBe(429);
    expect(await first.text()).toBe('body');
    const second = await fetch(new Request(url));
    expect(second.status).toBe(200);
    await second.body?.cancel();
    expect((await fetch(new Request(url))).status).toBe(200);
  });

  test('passes a body on as it is when nothing is held', async () => {
    const response = new Response('body');
    const guard = await open({ defaultRateLimit: { maxRequests: 1 } });
    expect(await guardFetch(() => response, { guard })(new Request(url))).toBe(response);
  });

  test('tells the source of a body that came too late that nobody reads it', async () => {
    const cancel = jest.fn();
    let answer!: (response: Response) => void;
    const late = new Promise<Response>((resolve) => {
      answer = resolve;
    });
    const guard = await open({ ...one, defaultTimeout: { executeMs: 20 } });
    const fetch = guardFetch(() => late, { guard });
    expect((await fetch(new Request(url))).status).toBe(408);
    expect((await fetch(new Request(url))).status).toBe(429);
    answer(new Response(new ReadableStream({ cancel })));
    await new Promise(setImmediate);
    expect(cancel).toHaveBeenCalledTimes(1);
    const next = await guardFetch(() => new Response(), { guard })(new Request(url));
    expect(next.status).toBe(200);
  });

  test('answers as its handler does when the client is gone, which heeds it or not', async () => {
    const guard = await open(one);
    const controller = new AbortController();
    const gone = (): Request => new Request(url, { signal: controller.signal });
    const answers = guardFetch(() => new Response(null, { status: 201 }), { guard });
    const throws = guardFetch(() => Promise.reject(new Error('Cancelled')), { guard });
    controller.abort();
    expect((await answers(gone())).status).toBe(201);
    await expect(throws(gone())).rejects.toThrow('Cancelled');
    expect((await answers(new Request(url))).status).toBe(201);
  });

  test.each(['answers', 'throws'])(
    'is late when a handler that let nobody else run %s',
    async (how) => {
      const guard = await open({ ...one, defaultTimeout: { executeMs: 5 } });
      const fetch = guardFetch(
        () => {
          const untilMs = performance.now() + 20;
          while (performance.now() < untilMs);
          if (how === 'throws') throw new Error('Thrown late');
          return new Response('late');
        },
        { guard },
      );
      for (const _ of [1, 2]) expect((await fetch(new Request(url))).status).toBe(408);
    },
  );

  test.each([
    ['nothing', {}],
    ['a timeout', { defaultTimeout: { executeMs: 60_000 } }],
  ])('passes on the timeout of a call within, with %s of its own', async (_name, config) => {
    const guard = await open(config);
    const fetch = guardFetch(
      () =>
        guard.run(
          'within',
          { context: { sessionId: 's' }, timeout: { executeMs: 5 }, maxOverrunMs: 0 },
          () => new Promise<never>(() => undefined),
        ),
      { guard },
    );
    await expect(fetch(new Request(url))).rejects.toMatchObject({ code: 'EXECUTION_TIMEOUT' });
  });

  test('says 499 to nobody when the client goes away while its request waits', async () => {
    const guard = await open({ defaultConcurrency: { maxConcurrent: 1, queueTimeoutMs: 60_000 } });
    const fetch = guardFetch(() => new Response('body'), { guard });
    const first = await fetch(new Request(url));
    const controller = new AbortController();
    const waiting = fetch(new Request(url, { signal: controller.signal }));
    controller.abort();
    expect((await waiting).status).toBe(499);
    await first.body?.cancel();
  });
});
