import { Redis } from 'ioredis';

import { repeat, type Contender } from './harness.ts';

export const FLOOR = 'two EVALSHAs of `return 1`';
export const OURS = '@frontmcp/guard-semaphore, as createStorage makes it';
export const PEER = 'redis-semaphore';

/** Each takes a slot of one key and gives it back. The answer is whether it got one. */
export const redisSemaphores: Readonly<
  Record<string, (url: string, max: number) => Promise<Contender>>
> = {
  [FLOOR]: async (url) => {
    const client = new Redis(url);
    const sha = (await client.script('LOAD', 'return 1')) as string;
    return {
      loop: repeat(async () => {
        await client.evalsha(sha, 1, 'floor');
        return (await client.evalsha(sha, 1, 'floor')) === 1;
      }),
      close: () => client.disconnect(),
    };
  },
  [OURS]: async (url, max) => {
    const { createStorage } = await import('@frontmcp/guard-storage-adapters');
    const { DistributedSemaphore } = await import('@frontmcp/guard-semaphore');
    const storage = await createStorage({ type: 'redis', redis: { url }, fallback: 'error' });
    const semaphore = new DistributedSemaphore(storage);
    const key = `guard:${String(max)}`;
    return {
      loop: repeat(async () => {
        const ticket = await semaphore.acquire(key, max, 0, key);
        await ticket?.release();
        return ticket !== null;
      }),
      close: async () => {
        await semaphore.destroy();
        await storage.disconnect();
      },
    };
  },
  [PEER]: async (url, max) => {
    const { Semaphore } = await import('redis-semaphore');
    const client = new Redis(url);
    const key = `peer:${String(max)}`;
    return {
      loop: repeat(async () => {
        const semaphore = new Semaphore(client, key, max);
        await semaphore.acquire();
        await semaphore.release();
        return true;
      }),
      close: () => client.disconnect(),
    };
  },
};
