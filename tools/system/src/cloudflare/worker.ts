import { SlidingWindowRateLimiter } from '@frontmcp/guard';
import { createDurableObjectStorage, GuardObject } from '@frontmcp/guard/durable-objects';

import { scenarios, type Scenario, type WorkerEnv } from './scenarios.js';

export { GuardObject };

/** A Worker that guards itself: five calls an hour for each client. */
async function guarded(request: Request, env: WorkerEnv): Promise<Response> {
  const storage = createDurableObjectStorage({ namespace: env.GUARD });
  const limiter = new SlidingWindowRateLimiter(storage);
  const client = request.headers.get('x-client') ?? 'anonymous';
  const { allowed } = await limiter.check(client, 5, 3_600_000);
  return new Response(null, { status: allowed ? 200 : 429 });
}

export default {
  async fetch(request: Request, env: WorkerEnv): Promise<Response> {
    if (new URL(request.url).pathname === '/guarded') return guarded(request, env);
    const { name, args } = (await request.json()) as { name: string; args: never[] };
    try {
      const run = (scenarios as Readonly<Record<string, Scenario>>)[name];
      return Response.json({ result: await run?.(env, ...args) });
    } catch (error) {
      return Response.json({ error: (error as Error).stack });
    }
  },
};
