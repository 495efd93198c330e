import type { Behaviour } from './behaviour.ts';

export const fetchHandler: Behaviour = {
  name: 'fetch handler',
  expected: {
    statuses: [200, 429],
    body: 'hello from 203.0.113.5',
    headers: ['"http";q=1;w=3600', true, 'application/problem+json'],
    code: 'RATE_LIMIT_EXCEEDED',
  },
  async observe({ guard, http }, { storage }) {
    const manager = await guard.createGuardManager({
      config: { enabled: true, keyPrefix: `${crypto.randomUUID()}:` },
      storage,
    });
    const handler = http.guardFetch(
      async () => {
        await Promise.resolve();
        return new Response(`hello from ${http.currentRequest()?.context.clientIp ?? 'nobody'}`);
      },
      {
        guard: manager,
        remoteAddress: () => '203.0.113.5',
        rateLimit: { maxRequests: 1, windowMs: 3_600_000, partitionBy: 'ip' },
      },
    );
    const request = (): Request => new Request('http://localhost/');
    const first = await handler(request());
    const second = await handler(request());
    const seen = {
      statuses: [first.status, second.status],
      body: await first.text(),
      headers: [
        first.headers.get('RateLimit-Policy'),
        Number(second.headers.get('Retry-After')) > 0,
        second.headers.get('Content-Type'),
      ],
      code: ((await second.json()) as { code?: unknown }).code,
    };
    await manager.destroy();
    return seen;
  },
};
