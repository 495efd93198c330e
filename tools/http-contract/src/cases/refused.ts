import { expectReply } from '../expect-reply.ts';
import type { Expected, HttpCase } from '../http-case.ts';
import type { Stage } from '../stage/stage.ts';

/** What a refusal by a limit looks like. */
function refusedBy(code: string, policy: string): Expected {
  return {
    status: 429,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'retry-after': /: [1-9]\d*$/,
      'ratelimit-policy': new RegExp(`"${policy}";q=1[;,]?`),
      ratelimit: new RegExp(`^ratelimit: "${policy}";r=0(;t=\\d+)?$`),
    },
    body: { status: 429, code, 'violated-policies': [policy] },
  };
}

async function askWhileHeld(stage: Stage, expected: Expected): Promise<void> {
  const connection = await stage.connect();
  const reply = connection.ask({ path: '/hold' });
  const held = await stage.held.next();
  expectReply(await stage.ask('/ok'), expected);
  held.answer();
  expectReply(await reply, { status: 200, body: 'held' });
  await stage.untilTaken(0);
  expectReply(await stage.ask('/ok'), 200);
}

/** Requests over their limits. */
export const refusedCases: readonly HttpCase[] = [
  {
    name: 'over the global rate, a request is refused and takes nothing of its entity',
    config: { global: { maxRequests: 1 }, defaultRateLimit: { maxRequests: 5 } },
    steps: [
      ['/ok', 200],
      ['/ok', refusedBy('RATE_LIMIT_EXCEEDED', 'global')],
      ['/missing', refusedBy('RATE_LIMIT_EXCEEDED', 'global')],
    ],
    play: async ({ manager }) => {
      const { remaining } = await manager.checkRateLimit('http', undefined, undefined);
      expect(remaining).toBe(3);
    },
  },
  {
    name: 'over the rate of its entity, a request is refused and takes nothing of the global one',
    config: { global: { maxRequests: 5 }, defaultRateLimit: { maxRequests: 1 } },
    steps: [
      ['/ok', 200],
      ['/ok', refusedBy('RATE_LIMIT_EXCEEDED', 'http')],
    ],
    play: async ({ manager }) => {
      expect((await manager.checkGlobalRateLimit(undefined)).remaining).toBe(3);
    },
  },
  {
    name: 'over the slots of its entity, a request is refused and takes nothing of the global ones',
    config: { globalConcurrency: { maxConcurrent: 2 }, defaultConcurrency: { maxConcurrent: 1 } },
    play: (stage) => askWhileHeld(stage, refusedBy('CONCURRENCY_LIMIT', 'http-concurrency')),
  },
  {
    name: 'over the global slots, a request is refused',
    config: { globalConcurrency: { maxConcurrent: 1 }, defaultConcurrency: { maxConcurrent: 2 } },
    play: (stage) => askWhileHeld(stage, refusedBy('CONCURRENCY_LIMIT', 'global-concurrency')),
  },
  {
    name: 'Retry-After is never earlier than the reset of the limit that refused',
    config: { global: { maxRequests: 9, windowMs: 1500 }, defaultRateLimit: { maxRequests: 1 } },
    steps: [['/ok', 200]],
    play: async (stage) => {
      const { headers, body } = await stage.ask('/ok');
      const { retryAfterMs } = JSON.parse(body) as { retryAfterMs: number };
      const reset = /"http";r=0;t=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1];
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(Number(reset));
      expect(Number(headers.get('retry-after'))).toBe(Math.ceil(retryAfterMs / 1000));
    },
  },
  {
    name: 'who waits exactly as long as the body says gets in',
    config: { defaultRateLimit: { maxRequests: 2, windowMs: 300 } },
    play: async (stage) => {
      const connection = await stage.connect();
      for (let rounds = 0; rounds < 3;) {
        const reply = await connection.ask({ path: '/ok' });
        if (reply.status === 200) continue;
        rounds += 1;
        expectReply(reply, { status: 429, headers: { 'retry-after': '1' } });
        await waitMs((JSON.parse(reply.body) as { retryAfterMs: number }).retryAfterMs);
        expectReply(await connection.ask({ path: '/ok' }), 200);
      }
    },
  },
];

/** Waits so long and no shorter: a timer may be early. */
async function waitMs(ms: number): Promise<void> {
  const untilMs = performance.now() + ms;
  for (let left = ms; left > 0; left = untilMs - performance.now()) {
    await new Promise((resolve) => setTimeout(resolve, left));
  }
}
