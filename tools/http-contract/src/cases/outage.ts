import { expectReply } from '../expect-reply.ts';
import type { HttpCase } from '../http-case.ts';

const config = {
  global: { maxRequests: 9 },
  defaultRateLimit: { maxRequests: 5 },
  defaultConcurrency: { maxConcurrent: 1 },
};
const denied = { path: '/ok', headers: { 'x-forwarded-for': '203.0.113.9' } };

/** Requests while the storage cannot be reached. */
export const outageCases: readonly HttpCase[] = [
  {
    name: 'while the storage is down, requests are told to come back',
    config,
    play: async (stage) => {
      stage.storage.isDown = true;
      expectReply(await stage.ask('/ok'), {
        status: 503,
        headers: {
          'content-type': 'application/problem+json',
          'cache-control': 'no-store',
          'retry-after': /: [1-9]\d*$/,
          ratelimit: null,
        },
        body: { status: 503, code: 'GUARD_STORAGE_UNAVAILABLE' },
      });
      stage.storage.isDown = false;
      expectReply(await stage.ask('/ok'), { status: 200, headers: { ratelimit: /r=8.*r=4/ } });
    },
  },
  {
    name: 'or let through when failOpen says so, though not by the IP filter and the timeout',
    config: { ...config, ipFilter: { denyList: ['203.0.113.9'] } },
    options: { failOpen: true, trustProxy: true, timeout: { executeMs: 40 } },
    routes: { '/ok': { limits: { entity: 'ok', timeout: false } } },
    play: async (stage) => {
      stage.storage.isDown = true;
      expectReply(await stage.ask('/ok'), { status: 200, headers: { ratelimit: null } });
      expectReply(await stage.ask(denied), 403);
      const connection = await stage.connect();
      const reply = connection.ask({ path: '/hold' });
      (await stage.held.next()).heed();
      expectReply(await reply, 408);
    },
  },
];
