import type { Reply } from '../client/parse-reply.ts';
import { expectReply } from '../expect-reply.ts';
import type { HttpCase } from '../http-case.ts';
import type { Stage } from '../stage/stage.ts';
import { until } from '../stage/until.ts';

/** Several requests on one connection. */
export const connectionCases: readonly HttpCase[] = [
  {
    name: 'requests that share a connection are counted one by one',
    config: { defaultRateLimit: { maxRequests: 3 }, defaultConcurrency: { maxConcurrent: 1 } },
    play: async (stage) => {
      const connection = await stage.connect();
      for (const left of [2, 1, 0]) {
        const reply = await connection.ask({ path: '/ok' });
        expectReply(reply, {
          status: 200,
          headers: { ratelimit: new RegExp(`r=${left}`) },
          body: 'ok',
        });
        await stage.untilTaken(0);
      }
      expectReply(await connection.ask({ path: '/ok' }), 429);
      expectReply(await connection.ask({ path: '/ok' }), 429);
    },
  },
  {
    name: 'pipelined requests are each counted, and answered in order',
    config: {
      defaultRateLimit: { maxRequests: 12 },
      defaultConcurrency: { maxConcurrent: 20 },
      defaultTimeout: { executeMs: 60_000 },
    },
    play: async (stage) => {
      const connection = await stage.connect();
      const asked = Array.from({ length: 15 }, (_, at) => ({ path: at % 2 ? '/later' : '/ok' }));
      const replies = await Promise.all(connection.send(...asked));
      expect(replies.map(({ status }) => status)).toEqual(
        asked.map(({ path }, at) => (at >= 12 ? 429 : path === '/ok' ? 200 : 201)),
      );
      expect(replies.slice(0, 12).map(({ body }) => body)).toEqual(
        asked.slice(0, 12).map(({ path }) => path.slice(1)),
      );
    },
  },
  {
    name: 'pipelined requests whose connection dies give their slots back',
    config: { defaultConcurrency: { maxConcurrent: 2 } },
    play: async (stage) => {
      const connection = await stage.connect();
      void connection.send({ path: '/hold' }, { path: '/hold' });
      const [first, second] = [await stage.held.next(), await stage.held.next()];
      await stage.untilTaken(2);
      const { signal } = first.heed();
      await connection.drop();
      await first.aborted();
      expect(signal.aborted).toBe(true);
      second.answer();
      await stage.untilTaken(0);
    },
  },
  {
    name: 'of 200 requests at once, never more are inside than there are slots',
    config: { defaultConcurrency: { maxConcurrent: 5, queueTimeoutMs: 60_000 } },
    play: async (stage) => {
      const replies = await askAtOnce(stage);
      await stage.untilWaiting(195);
      stage.held.letPass();
      for (const reply of replies) expectReply(await reply, { status: 200, body: 'passed' });
      expect(stage.held.most).toBe(5);
    },
  },
  {
    name: 'nor when those that find no slot are refused',
    config: { defaultConcurrency: { maxConcurrent: 5 }, defaultTimeout: { executeMs: 60_000 } },
    play: async (stage) => {
      const statuses: number[] = [];
      const replies = (await askAtOnce(stage)).map((reply) =>
        reply.then(({ status }) => statuses.push(status)),
      );
      await until('the others are refused', () => statuses.length === 195);
      stage.held.letPass();
      await Promise.all(replies);
      expect(statuses.filter((status) => status === 200)).toHaveLength(5);
      expect(statuses.filter((status) => status === 429)).toHaveLength(195);
      expect(stage.held.most).toBe(5);
    },
  },
];

async function askAtOnce(stage: Stage): Promise<Promise<Reply>[]> {
  const connections = await Promise.all(Array.from({ length: 200 }, () => stage.connect()));
  return connections.map((connection) => connection.ask({ path: '/busy' }));
}
