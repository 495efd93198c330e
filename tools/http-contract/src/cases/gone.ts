import { expectReply } from '../expect-reply.ts';
import type { HttpCase } from '../http-case.ts';
import { Chunks } from '../stage/chunks.ts';
import { until } from '../stage/until.ts';

const config = { defaultConcurrency: { maxConcurrent: 1 } };

/** Requests whose client goes away. */
export const goneCases: readonly HttpCase[] = [
  {
    name: 'the signal of a handler aborts when its client goes away, and its slot comes back',
    config,
    play: async (stage) => {
      const connection = await stage.connect();
      void connection.send({ path: '/hold' });
      const held = (await stage.held.next()).heed();
      await connection.drop();
      await held.aborted();
      await stage.untilTaken(0);
      expectReply(await stage.ask('/ok'), 200);
    },
  },
  {
    name: 'the signal aborts as well when no slot is held, and when requests may wait',
    config: { defaultRateLimit: { maxRequests: 9 } },
    options: {
      timeout: { executeMs: 60_000 },
      limits: ({ header }) =>
        header('x-wait') === undefined
          ? undefined
          : { entity: 'waits', concurrency: { maxConcurrent: 1, queueTimeoutMs: 60_000 } },
    },
    play: async (stage) => {
      for (const headers of [{}, { 'x-wait': '1' }]) {
        const connection = await stage.connect();
        void connection.send({ path: '/hold', headers });
        const held = (await stage.held.next()).heed();
        expect(held.signal.aborted).toBe(false);
        await connection.drop();
        await held.aborted();
      }
    },
  },
  {
    name: 'a handler that answers a client that is gone gives its slot back',
    config,
    play: async (stage) => {
      const connection = await stage.connect();
      void connection.send({ path: '/hold' });
      const held = await stage.held.next();
      const { signal } = held;
      await connection.drop();
      await until('the client is known to be gone', () => signal.aborted);
      held.answer();
      await stage.untilTaken(0);
      expectReply(await stage.ask('/ok'), 200);
    },
  },
  {
    name: 'a handler that goes on though its client is gone keeps its slot until it ends',
    config,
    play: async (stage) => {
      const connection = await stage.connect();
      void connection.send({ path: '/hold' });
      const held = await stage.held.next();
      const { signal } = held;
      await connection.drop();
      await until('the client is known to be gone', () => signal.aborted);
      expectReply(await stage.ask('/ok'), 429);
      held.answer();
      await stage.untilTaken(0);
    },
  },
  {
    name: 'a handler that goes on though its client is gone keeps its slot for maxOverrunMs at most',
    config,
    options: { maxOverrunMs: 20 },
    play: async (stage) => {
      const connection = await stage.connect();
      void connection.send({ path: '/hold' });
      const held = await stage.held.next();
      await connection.drop();
      await stage.untilTaken(0);
      held.answer();
    },
  },
  {
    name: 'a client that goes away in the middle of a body gives the slot back',
    config,
    play: async (stage) => {
      const connection = await stage.connect();
      void connection.send({ path: '/hold' });
      const chunks = new Chunks().push('begun');
      (await stage.held.next()).answer(chunks);
      await connection.received('begun');
      await stage.untilTaken(1);
      await connection.drop();
      await until('the stream is let go', () => chunks.isDone);
      await stage.untilTaken(0);
    },
  },
];
