import { countingSemaphore } from './floors.ts';
import { repeat, type Contender } from './harness.ts';

/** The floor: a counter and a queue. */
export async function counter(max: number, held: number): Promise<Contender> {
  const semaphore = countingSemaphore(max);
  for (let i = 0; i < held; i++) await semaphore.acquire();
  return {
    loop: async (from, count) => {
      for (let i = from; i < from + count; i++) {
        await semaphore.acquire();
        semaphore.release();
      }
      return 'held';
    },
  };
}

/** Ours on a memory storage. */
export async function ours(max: number, held: number): Promise<Contender> {
  const { createMemoryStorage } = await import('@frontmcp/guard-storage-adapters');
  const { DistributedSemaphore } = await import('@frontmcp/guard-semaphore');
  const storage = createMemoryStorage();
  await storage.connect();
  const semaphore = new DistributedSemaphore(storage);
  const tickets = await Promise.all(
    Array.from({ length: held }, () => semaphore.acquire('bench', max, 0, 'bench')),
  );
  return {
    loop: async (from, count) => {
      for (let i = from; i < from + count; i++) {
        const ticket = await semaphore.acquire('bench', max, 0, 'bench');
        if (ticket === null) return 'full';
        await ticket.release();
      }
      return 'held';
    },
    close: async () => {
      for (const ticket of tickets) await ticket?.release();
      await storage.disconnect();
    },
  };
}

export async function asyncSema(max: number, held: number): Promise<Contender> {
  const { Sema } = await import('async-sema');
  const semaphore = new Sema(max);
  for (let i = 0; i < held; i++) await semaphore.acquire();
  return {
    loop: async (from, count) => {
      for (let i = from; i < from + count; i++) {
        await semaphore.acquire();
        semaphore.release();
      }
      return 'held';
    },
  };
}

export async function bulkhead(max: number, held: number): Promise<Contender> {
  const { bulkhead: createBulkhead } = await import('cockatiel');
  const policy = createBulkhead(max);
  for (let i = 0; i < held; i++) void policy.execute(() => new Promise<never>(() => undefined));
  return { loop: repeat(() => policy.execute(() => 'held')) };
}
