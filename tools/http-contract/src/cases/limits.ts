import { expectReply } from '../expect-reply.ts';
import type { HttpCase, Step } from '../http-case.ts';

const one = { maxRequests: 1 };
const by = (user: string, path = '/ok'): Step[0] => ({ path, headers: { 'x-user': user } });

/** Which limits apply to a request, and who it is counted for. */
export const limitCases: readonly HttpCase[] = [
  {
    name: 'a route may have limits of its own, or none',
    config: { defaultRateLimit: one, ipFilter: { denyList: ['203.0.113.9'] } },
    options: { trustProxy: true },
    routes: {
      '/later': { limits: { entity: 'later', rateLimit: { maxRequests: 2 } } },
      '/who': { limits: false },
    },
    steps: [
      ['/ok', 200],
      ['/ok', 429],
      ['/later', { status: 201, headers: { ratelimit: /"later";r=1/ } }],
      ['/later', 201],
      ['/later', { status: 429, body: { 'violated-policies': ['later'] } }],
      ['/who', { status: 200, headers: { ratelimit: null }, body: { guard: null } }],
      [
        { path: '/who', headers: { 'x-forwarded-for': '203.0.113.9' } },
        { status: 200, body: { guard: null, clientIp: '203.0.113.9' } },
      ],
    ],
  },
  {
    name: 'limits of the layer go before those of the guard, and may lift them',
    config: { defaultRateLimit: one, defaultConcurrency: { maxConcurrent: 1 } },
    options: { entity: 'api', rateLimit: { maxRequests: 2 }, concurrency: false },
    play: async (stage) => {
      const connection = await stage.connect();
      const reply = connection.ask({ path: '/hold' });
      const held = await stage.held.next();
      expectReply(await stage.ask('/ok'), {
        status: 200,
        headers: { 'ratelimit-policy': '"api";q=2;w=60', ratelimit: /"api";r=0/ },
      });
      expectReply(await stage.ask('/ok'), 429);
      held.answer();
      expectReply(await reply, 200);
    },
  },
  {
    name: 'a function may give the limits of a request, field by field, or lift them',
    config: { defaultRateLimit: one },
    options: {
      entity: 'base',
      limits: ({ header }) => {
        if (header('x-plan') === 'free') return undefined;
        if (header('x-plan') === 'none') return Promise.resolve(false);
        return Promise.resolve({ entity: 'paid', rateLimit: { maxRequests: 2 } });
      },
    },
    steps: [
      [{ path: '/ok', headers: { 'x-plan': 'free' } }, 200],
      [{ path: '/ok', headers: { 'x-plan': 'free' } }, 429],
      [{ path: '/ok', headers: { 'x-plan': 'none' } }, 200],
      ['/ok', { status: 200, headers: { ratelimit: /"paid";r=1/ } }],
      ['/ok', 200],
      ['/ok', 429],
    ],
  },
  {
    name: 'a request that is skipped passes unguarded',
    config: { defaultRateLimit: one, ipFilter: { denyList: ['127.0.0.1'] } },
    options: {
      skip: ({ path, header }) =>
        header('x-health') === '2' ? Promise.resolve(true) : path === '/who',
    },
    steps: [
      ['/who', { status: 200, headers: { ratelimit: null }, body: { guard: null } }],
      [{ path: '/ok', headers: { 'x-health': '2' } }, 200],
      ['/ok', 403],
    ],
  },
  {
    name: 'a context function says who calls',
    config: { defaultRateLimit: { ...one, partitionBy: 'userId' } },
    options: {
      context: ({ header }) => {
        const userId = header('x-user');
        if (userId === undefined) return undefined;
        return userId.startsWith('async') ? Promise.resolve({ userId }) : { userId };
      },
    },
    steps: [
      [by('ann'), 200],
      [by('ann'), 429],
      [by('async-bob'), 200],
      [by('async-bob'), 429],
      ['/ok', 200],
      ['/ok', 429],
    ],
  },
  {
    name: 'who leaves the session out is counted by address',
    config: { defaultRateLimit: { ...one, partitionBy: 'session' } },
    options: {
      trustProxy: true,
      context: ({ header }) => {
        const sessionId = header('x-user');
        return sessionId === undefined ? {} : { sessionId };
      },
    },
    steps: [
      [by('s1'), 200],
      [by('s1'), 429],
      ['/ok', 200],
      ['/ok', 429],
      [{ path: '/ok', headers: { 'x-forwarded-for': '198.51.100.7' } }, 200],
    ],
  },
  {
    name: 'a refused request is answered as onRefused says, at once or later',
    config: { defaultRateLimit: one },
    options: {
      onRefused: ({ status, problem }, { path }) => {
        const answer = {
          status: status + 1,
          headers: { 'x-refused': 'yes' },
          body: JSON.stringify({ path, problem }),
        };
        return path === '/ok' ? answer : Promise.resolve(answer);
      },
    },
    steps: [
      ['/ok', 200],
      ...['/ok', '/later'].map((path): Step => [
        path,
        {
          status: 430,
          headers: { 'x-refused': 'yes' },
          body: { path, problem: { code: 'RATE_LIMIT_EXCEEDED' } },
        },
      ]),
    ],
  },
  {
    name: 'guards within guards count the global limits once, and say all of theirs',
    config: {
      global: { maxRequests: 2 },
      globalConcurrency: { maxConcurrent: 1 },
      defaultRateLimit: { maxRequests: 10 },
    },
    routes: {
      '/who': { inner: { entity: 'inner', rateLimit: { maxRequests: 3 } } },
      '/hold': { inner: { entity: 'inner', rateLimit: { maxRequests: 3 } } },
    },
    play: async (stage) => {
      expectReply(await stage.ask('/who'), {
        status: 200,
        headers: {
          ratelimit: /^ratelimit: (?=.*"global";r=1;)(?=.*"http";r=9;)(?=.*"inner";r=2;)/,
          'ratelimit-policy':
            /^ratelimit-policy: (?!.*"global".*"global")(?=.*"http")(?=.*"inner";q=3)/,
        },
        body: { guard: { remaining: 2 } },
      });
      await stage.untilTaken(0);
      const connection = await stage.connect();
      const reply = connection.ask({ path: '/hold' });
      const held = await stage.held.next();
      expect((await stage.slots()).taken).toBe(1);
      held.answer();
      expectReply(await reply, 200);
      await stage.untilTaken(0);
      expectReply(await stage.ask('/who'), {
        status: 429,
        body: { 'violated-policies': ['global'] },
      });
    },
  },
  {
    name: 'a guard within a guard refuses on its own, and gives back what both have',
    config: { globalConcurrency: { maxConcurrent: 1 }, defaultConcurrency: { maxConcurrent: 5 } },
    routes: { '/ok': { inner: { entity: 'inner', rateLimit: one } } },
    steps: [
      ['/ok', 200],
      ['/ok', { status: 429, body: { 'violated-policies': ['inner'] } }],
      ['/later', 201],
    ],
  },
];
