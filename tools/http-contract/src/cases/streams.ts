import { expectReply } from '../expect-reply.ts';
import type { HttpCase } from '../http-case.ts';
import { Chunks } from '../stage/chunks.ts';
import { until } from '../stage/until.ts';

const config = { defaultConcurrency: { maxConcurrent: 1 } };

/** Replies that are sent chunk by chunk. */
export const streamCases: readonly HttpCase[] = [
  {
    name: 'a slot is held until the last chunk of a reply',
    config: { ...config, defaultTimeout: { executeMs: 60_000 } },
    play: async (stage) => {
      const connection = await stage.connect();
      const reply = connection.ask({ path: '/hold' });
      const chunks = new Chunks().push('first ');
      (await stage.held.next()).answer(chunks);
      await connection.received('first ');
      expectReply(await stage.ask('/ok'), 429);
      chunks.push('second ').push('last').end();
      expectReply(await reply, { status: 200, body: 'first second last' });
      await stage.untilTaken(0);
      expectReply(await stage.ask('/ok'), 200);
    },
  },
  {
    name: 'a stream that fails cuts its reply off, and gives its slot back',
    config,
    play: async (stage) => {
      const connection = await stage.connect();
      const reply = connection.ask({ path: '/hold' });
      const chunks = new Chunks().push('first ');
      (await stage.held.next()).answer(chunks);
      await connection.received('first ');
      chunks.fail(new Error('Source failed'));
      expect((await reply).isComplete).toBe(false);
      await connection.closed();
      await stage.untilTaken(0);
    },
  },
  {
    name: 'the reply to HEAD gives its slot back, and lets go of the stream that nobody reads',
    config,
    play: async (stage) => {
      const connection = await stage.connect();
      const reply = connection.ask({ method: 'HEAD', path: '/hold' });
      const chunks = new Chunks().push('unseen').end();
      (await stage.held.next()).answer(chunks);
      expectReply(await reply, { status: 200, body: '' });
      await stage.untilTaken(0);
      await until('the stream is let go', () => chunks.isDone);
      expectReply(await connection.ask({ path: '/ok' }), { status: 200, body: 'ok' });
    },
  },
];
