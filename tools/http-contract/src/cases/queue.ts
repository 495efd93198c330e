import { expectReply } from '../expect-reply.ts';
import type { HttpCase } from '../http-case.ts';

const patient = { maxConcurrent: 1, queueTimeoutMs: 60_000 };

/** Requests that wait for a slot. */
export const queueCases: readonly HttpCase[] = [
  {
    name: 'a request that waits is served when its turn comes',
    config: { defaultConcurrency: patient },
    play: async (stage) => {
      const [first, second] = [await stage.connect(), await stage.connect()];
      const reply = first.ask({ path: '/hold' });
      const held = await stage.held.next();
      const later = second.ask({ path: '/hold' });
      await stage.untilWaiting(1);
      expect(stage.held.count).toBe(1);
      held.answer('first');
      (await stage.held.next()).answer('second');
      expectReply(await reply, { status: 200, body: 'first' });
      expectReply(await later, { status: 200, body: 'second' });
    },
  },
  {
    name: 'a request that has waited too long is refused, and its rate given back',
    config: {
      defaultRateLimit: { maxRequests: 3 },
      defaultConcurrency: { maxConcurrent: 1, queueTimeoutMs: 30 },
    },
    play: async (stage) => {
      const connection = await stage.connect();
      const reply = connection.ask({ path: '/hold' });
      const held = await stage.held.next();
      expectReply(await stage.ask('/ok'), {
        status: 429,
        headers: { 'retry-after': /: [1-9]\d*$/, 'cache-control': 'no-store' },
        body: { status: 429, code: 'QUEUE_TIMEOUT', 'violated-policies': ['http-concurrency'] },
      });
      held.answer();
      expectReply(await reply, 200);
      await stage.untilTaken(0);
      expectReply(await stage.ask('/ok'), { status: 200, headers: { ratelimit: /r=1/ } });
    },
  },
  {
    name: 'a client that goes away while it waits leaves its place to the next',
    config: { defaultConcurrency: patient },
    play: async (stage) => {
      const [first, gone, next] = [
        await stage.connect(),
        await stage.connect(),
        await stage.connect(),
      ];
      const reply = first.ask({ path: '/hold' });
      const held = await stage.held.next();
      void gone.send({ path: '/hold' });
      await stage.untilWaiting(1);
      const later = next.ask({ path: '/hold' });
      await stage.untilWaiting(2);
      await gone.drop();
      await stage.untilWaiting(1);
      held.answer('first');
      (await stage.held.next()).answer('next');
      expectReply(await reply, { status: 200, body: 'first' });
      expectReply(await later, { status: 200, body: 'next' });
      expect(stage.held.count).toBe(2);
    },
  },
];
