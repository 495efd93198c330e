import { expectReply } from '../expect-reply.ts';
import type { Expected, HttpCase, RouteLimits } from '../http-case.ts';
import { Chunks } from '../stage/chunks.ts';
import { until } from '../stage/until.ts';

const short = { executeMs: 40 };

/** What is asked to see that all is well is not to be late on a machine that has other work. */
const routes: RouteLimits = { '/ok': { limits: { entity: 'http', timeout: false } } };

const tooLate: Expected = {
  status: 408,
  headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
  body: { status: 408, code: 'EXECUTION_TIMEOUT' },
};

/** Requests whose time is up. */
export const timeoutCases: readonly HttpCase[] = [
  {
    name: 'a late handler keeps its slot until it ends, and breaks nothing when it answers',
    config: { defaultConcurrency: { maxConcurrent: 1 }, defaultTimeout: short },
    routes: {
      ...routes,
      '/hold-too': { limits: { entity: 'too', timeout: { executeMs: 60_000 } } },
    },
    play: async (stage) => {
      const connection = await stage.connect();
      const reply = connection.ask({ path: '/hold' });
      const late = await stage.held.next();
      expectReply(await reply, tooLate);
      expectReply(await stage.ask('/ok'), 429);
      const following = connection.ask({ path: '/hold-too' });
      const held = await stage.held.next();
      late.answer('late');
      await stage.untilTaken(1);
      held.answer('in time');
      expectReply(await following, { status: 200, body: 'in time' });
      await stage.untilTaken(0);
      expectReply(await connection.ask({ path: '/ok' }), { status: 200, body: 'ok' });
    },
  },
  {
    name: 'a handler that heeds its signal and throws is late all the same',
    config: { defaultConcurrency: { maxConcurrent: 1 }, defaultTimeout: short },
    routes,
    play: async (stage) => {
      const connection = await stage.connect();
      for (const round of [1, 2]) {
        const reply = connection.ask({ path: '/hold' });
        const held = (await stage.held.next()).heed();
        expectReply(await reply, tooLate);
        expect(await held.aborted()).toMatchObject({ code: 'EXECUTION_TIMEOUT' });
        await stage.untilTaken(0);
        expect(stage.held.count).toBe(round);
      }
      expectReply(await connection.ask({ path: '/ok' }), 200);
    },
  },
  {
    name: 'a handler that ends at the very moment when its time is up is late all the same',
    config: { defaultConcurrency: { maxConcurrent: 1 }, defaultTimeout: short },
    routes,
    play: async (stage) => {
      const connection = await stage.connect();
      for (const path of ['/throws-when-late', '/answers-when-late']) {
        expectReply(await connection.ask({ path }), tooLate);
        await stage.untilTaken(0);
      }
      expectReply(await connection.ask({ path: '/ok' }), { status: 200, body: 'ok' });
    },
  },
  {
    name: 'a handler that throws long after its time is up breaks nothing',
    config: { defaultConcurrency: { maxConcurrent: 1 }, defaultTimeout: short },
    routes,
    play: async (stage) => {
      const connection = await stage.connect();
      const reply = connection.ask({ path: '/hold' });
      const late = await stage.held.next();
      expectReply(await reply, tooLate);
      late.fail(new Error('Thrown late'));
      await stage.untilTaken(0);
      expectReply(await connection.ask({ path: '/ok' }), 200);
    },
  },
  {
    name: 'a late handler that begins a stream breaks nothing',
    config: { defaultConcurrency: { maxConcurrent: 1 }, defaultTimeout: short },
    routes,
    play: async (stage) => {
      const connection = await stage.connect();
      const reply = connection.ask({ path: '/hold' });
      const late = await stage.held.next();
      expectReply(await reply, tooLate);
      late.answer(new Chunks().push('a').end());
      await stage.untilTaken(0);
      expectReply(await connection.ask({ path: '/ok' }), { status: 200, body: 'ok' });
    },
  },
  {
    name: 'the stream that a late handler begins is let go',
    config: { defaultTimeout: short },
    play: async (stage) => {
      const connection = await stage.connect();
      const reply = connection.ask({ path: '/hold' });
      const late = await stage.held.next();
      expectReply(await reply, tooLate);
      const chunks = new Chunks().push('a');
      late.answer(chunks);
      await until('the stream is let go', () => chunks.isDone);
    },
  },
  {
    name: 'the slot of a handler that never ends is given back after maxOverrunMs',
    config: { defaultConcurrency: { maxConcurrent: 1 }, defaultTimeout: short },
    routes,
    options: { maxOverrunMs: 30 },
    play: async (stage) => {
      const connection = await stage.connect();
      const reply = connection.ask({ path: '/hold' });
      const late = await stage.held.next();
      expectReply(await reply, tooLate);
      await stage.untilTaken(0);
      expectReply(await stage.ask('/ok'), 200);
      late.answer();
    },
  },
  {
    name: 'a body that is still open when the time is up is cut off',
    config: { defaultConcurrency: { maxConcurrent: 1 }, defaultTimeout: { executeMs: 1000 } },
    play: async (stage) => {
      const connection = await stage.connect();
      const reply = connection.ask({ path: '/hold' });
      const chunks = new Chunks().push('begun');
      (await stage.held.next()).answer(chunks);
      await connection.closed();
      const { status, body, isComplete } = await reply;
      expect({ status, body, isComplete }).toEqual({
        status: 200,
        body: 'begun',
        isComplete: false,
      });
      await until('the stream is let go', () => chunks.isDone);
    },
  },
  {
    name: 'what has ended in time is not touched when the time is up',
    config: { defaultTimeout: { executeMs: 600 } },
    play: async (stage) => {
      const connection = await stage.connect();
      expectReply(await connection.ask({ path: '/ok' }), { status: 200, body: 'ok' });
      const reply = connection.ask({ path: '/hold' });
      expectReply(await reply, tooLate);
      (await stage.held.next()).answer();
      expectReply(await connection.ask({ path: '/ok' }), { status: 200, body: 'ok' });
    },
  },
  {
    name: 'a late request is answered as onRefused says, at once or later',
    config: { defaultConcurrency: { maxConcurrent: 1 }, defaultTimeout: short },
    routes,
    options: {
      onRefused: ({ status }, { header }) => {
        const answer = { status, headers: { 'x-refused': 'yes' }, body: 'too late' };
        return header('x-later') === undefined
          ? answer
          : new Promise((resolve) => setImmediate(resolve, answer));
      },
    },
    play: async (stage) => {
      const connection = await stage.connect();
      for (const headers of [{}, { 'x-later': '1' }]) {
        const reply = connection.ask({ path: '/hold', headers });
        const late = await stage.held.next();
        expectReply(await reply, {
          status: 408,
          headers: { 'x-refused': 'yes' },
          body: 'too late',
        });
        late.answer();
        await stage.untilTaken(0);
      }
      expectReply(await connection.ask({ path: '/ok' }), 200);
    },
  },
];
