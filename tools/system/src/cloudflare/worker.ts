import { DistributedSemaphore, SlidingWindowRateLimiter } from '@frontmcp/guard';
import { createDurableObjectStorage, GuardObject } from '@frontmcp/guard/durable-objects';

import { scenarios, type Scenario, type WorkerEnv } from './scenarios.js';

export { GuardObject };

const LEASE_SECONDS = 0.4;

/** A Worker that guards itself: five calls an hour for each client. */
async function guarded(request: Request, env: WorkerEnv): Promise<Response> {
  const storage = createDurableObjectStorage({ namespace: env.GUARD });
  const limiter = new SlidingWindowRateLimiter(storage);
  const client = request.headers.get('x-client') ?? 'anonymous';
  const { allowed } = await limiter.check(client, 5, 3_600_000);
  return new Response(null, { status: allowed ? 200 : 429 });
}

/**
 * A Worker that does one thing at a time for each client, for longer than a lease. The semaphore is of this request: with one for
 * several, what keeps leases and asks for slots would end with the request that began it.
 */
async function inTurn(request: Request, env: WorkerEnv): Promise<Response> {
  const storage = createDurableObjectStorage({ namespace: env.GUARD });
  const semaphore = new DistributedSemaphore(storage, LEASE_SECONDS);
  const client = request.headers.get('x-client') ?? 'anonymous';
  const ticket = await semaphore.acquire(client, 1, 10_000, 'in-turn');
  if (ticket === null) return new Response(null, { status: 429 });
  await new Promise((resolve) => setTimeout(resolve, 1_500 * LEASE_SECONDS));
  return new Response(null, { status: (await ticket.release()) ? 200 : 500 });
}

export default {
  async fetch(request: Request, env: WorkerEnv): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === '/guarded') return guarded(request, env);
    if (pathname === '/in-turn') return inTurn(request, env);
    const { name, args } = (await request.json()) as { name: string; args: never[] };
    try {
      const run = (scenarios as Readonly<Record<string, Scenario>>)[name];
      return Response.json({ result: await run?.(env, ...args) });
    } catch (error) {
      return Response.json({ error: (error as Error).stack });
    }
  },
};
