import { setTimeout as delay } from 'node:timers/promises';

import type { RedisServer } from '@frontmcp/guard-services';
import { Redis } from 'ioredis';

/** Does the work while a slot is held. */
export type Run = (work: () => Promise<void>) => Promise<unknown>;

/** A way for several callers to share slots, as one process has it. */
export interface Queue {
  readonly run: Run;
  readonly close: () => unknown;
}

export const FLOOR = 'BLPOP of a list of tokens';
export const OURS = '@frontmcp/guard-semaphore';
export const PEER = 'redis-semaphore';

/** How a queue is made: for so many slots, and so many callers of this process at once. */
type MakeQueue = (
  server: Pick<RedisServer, 'url'>,
  slots: number,
  callers: number,
) => Promise<Queue>;

export const redisQueues: Readonly<Record<string, MakeQueue>> = {
  [FLOOR]: async ({ url }, slots, callers) => {
    const client = new Redis(url);
    if ((await client.incr('tokens:made')) === 1) {
      await client.rpush('tokens', ...Array.from({ length: slots }, String));
    }
    // Whoever waits takes up a connection.
    const idle = Array.from({ length: callers }, () => new Redis(url));
    const all = [client, ...idle];
    return {
      run: async (work) => {
        const connection = idle.pop() as Redis;
        await connection.blpop('tokens', 0);
        idle.push(connection);
        await work();
        await client.rpush('tokens', '1');
      },
      close: () => all.forEach((each) => each.disconnect()),
    };
  },
  [OURS]: async ({ url }, slots) => {
    const { createStorage } = await import('@frontmcp/guard-storage-adapters');
    const { DistributedSemaphore } = await import('@frontmcp/guard-semaphore');
    const storage = await createStorage({ type: 'redis', redis: { url }, fallback: 'error' });
    const semaphore = new DistributedSemaphore(storage);
    return {
      run: async (work) => {
        const ticket = await semaphore.acquire('queue', slots, 120_000, 'queue');
        await work();
        await ticket?.release();
      },
      close: async () => {
        await semaphore.destroy();
        await storage.disconnect();
      },
    };
  },
  [PEER]: async ({ url }, slots) => {
    const { Semaphore } = await import('redis-semaphore');
    const client = new Redis(url);
    return {
      run: async (work) => {
        const semaphore = new Semaphore(client, 'queue', slots, { acquireTimeout: 120_000 });
        await semaphore.acquire();
        await work();
        await semaphore.release();
      },
      close: () => client.disconnect(),
    };
  },
  bottleneck: async ({ url }, slots) => {
    const { default: Bottleneck } = await import('bottleneck');
    const { hostname: host, port } = new URL(url);
    const limiter = new Bottleneck({
      id: 'queue',
      maxConcurrent: slots,
      datastore: 'ioredis',
      clientOptions: { host, port: Number(port) },
      Redis,
    });
    limiter.on('error', () => undefined);
    await limiter.ready();
    return { run: (work) => limiter.schedule(work), close: () => limiter.disconnect(false) };
  },
};

/** What callers of one process went through who take a slot again and again until the time is over. */
export interface Turns {
  readonly waitsMs: readonly number[];
  readonly elapsedMs: number;
}

/** @param untilMs How long callers go on asking. */
export async function takeTurns(
  { run }: Queue,
  callers: number,
  holdMs: number,
  untilMs: number,
): Promise<Turns> {
  const waitsMs: number[] = [];
  const started = performance.now();
  const caller = async (): Promise<void> => {
    while (performance.now() - started < untilMs) {
      const asked = performance.now();
      await run(async () => {
        waitsMs.push(performance.now() - asked);
        await delay(holdMs);
      });
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return { waitsMs, elapsedMs: performance.now() - started };
}
