import { expectReply } from '../expect-reply.ts';
import type { HttpCase, Step } from '../http-case.ts';

const config = { defaultRateLimit: { maxRequests: 5 }, defaultConcurrency: { maxConcurrent: 1 } };

/** What Express and Fastify take for no error when they are told of it. */
const noErrors: Readonly<Record<string, unknown>> = {
  undefined,
  null: null,
  route: 'route',
  router: 'router',
};

async function rejectWith(name: string | undefined): Promise<void> {
  await Promise.resolve();
  if (name !== undefined) throw noErrors[name];
}

/** Requests that end in an error which is not the guard's. */
export const errorCases: readonly HttpCase[] = [
  {
    name: 'an error of the handler is the framework’s, and gives the slot back',
    config,
    steps: [
      ['/throws', 500],
      ['/rejects', 500],
      ['/ok', { status: 200, headers: { ratelimit: /r=2/ } }],
    ],
  },
  {
    name: 'the same with a timeout, and with rates only',
    config: { defaultRateLimit: { maxRequests: 5 } },
    options: { timeout: { executeMs: 60_000 } },
    routes: { '/rejects': { limits: { entity: 'http', timeout: false } } },
    steps: [
      ['/throws', 500],
      ['/rejects', 500],
      ['/ok', { status: 200, headers: { ratelimit: /r=2/ } }],
    ],
  },
  {
    name: 'an error of the context function is the framework’s, and takes nothing',
    config,
    options: {
      context: ({ header }) => {
        if (header('x-bad') === 'sync') throw new Error('No context');
        if (header('x-bad') === 'async') return Promise.reject(new Error('No context'));
        return undefined;
      },
    },
    steps: [
      [{ path: '/ok', headers: { 'x-bad': 'sync' } }, 500],
      [{ path: '/ok', headers: { 'x-bad': 'async' } }, 500],
      ['/ok', { status: 200, headers: { ratelimit: /r=4/ } }],
    ],
  },
  {
    name: 'so is an error of the limits, skip and guard functions, and a limit that is none',
    config,
    options: {
      skip: ({ header }) => {
        if (header('x-skip') === 'bad') throw new Error('No idea');
        return false;
      },
      limits: ({ header }) => {
        if (header('x-limits') === 'bad') throw new Error('No limits');
        if (header('x-limits') !== 'negative') return undefined;
        return { entity: 'x', rateLimit: { maxRequests: -1 } };
      },
    },
    steps: [
      [{ path: '/ok', headers: { 'x-skip': 'bad' } }, 500],
      [{ path: '/ok', headers: { 'x-limits': 'bad' } }, 500],
      [{ path: '/ok', headers: { 'x-limits': 'negative' } }, 500],
      ['/ok', { status: 200, headers: { ratelimit: /r=4/ } }],
    ],
  },
  {
    name: 'an error of onRefused is the framework’s',
    config: { defaultRateLimit: { maxRequests: 1 } },
    options: {
      onRefused: (_refusal, { header }) => {
        if (header('x-bad') === 'sync') throw new Error('No answer');
        return Promise.reject(new Error('No answer'));
      },
    },
    steps: [
      ['/ok', 200],
      [{ path: '/ok', headers: { 'x-bad': 'sync' } }, 500],
      [{ path: '/ok', headers: { 'x-bad': 'async' } }, 500],
    ],
  },
  {
    name: 'what is thrown that is no error is the framework’s error all the same, and lets nobody in',
    config: { defaultRateLimit: { maxRequests: 1 } },
    options: {
      context: async ({ header }) => {
        await rejectWith(header('x-context'));
        return undefined;
      },
      onRefused: async ({ status }, { header }) => {
        await rejectWith(header('x-refused'));
        return { status, body: 'refused' };
      },
    },
    steps: [
      ...Object.keys(noErrors).map((name): Step => [
        { path: '/ok', headers: { 'x-context': name } },
        500,
      ]),
      ['/ok', 200],
      ...Object.keys(noErrors).map((name): Step => [
        { path: '/ok', headers: { 'x-refused': name } },
        500,
      ]),
      ['/ok', { status: 429, body: 'refused' }],
    ],
  },
  {
    name: 'and so it is when the time of a request is up, which breaks nothing',
    config: { defaultConcurrency: { maxConcurrent: 1 } },
    routes: { '/ok': { limits: { entity: 'http', timeout: false } } },
    options: {
      timeout: { executeMs: 40 },
      onRefused: (_refusal, { header }) => {
        const bad = header('x-bad');
        if (bad === 'sync') throw new Error('No answer');
        if (bad !== 'none') return Promise.reject(new Error('No answer'));
        return rejectWith('undefined').then(() => ({ status: 200, body: 'answered' }));
      },
    },
    play: async (stage) => {
      const connection = await stage.connect();
      for (const bad of ['sync', 'async', 'none']) {
        const reply = connection.ask({ path: '/hold', headers: { 'x-bad': bad } });
        const late = await stage.held.next();
        expectReply(await reply, 500);
        late.answer();
        await stage.untilTaken(0);
      }
      expectReply(await connection.ask({ path: '/ok' }), { status: 200, body: 'ok' });
    },
  },
];
