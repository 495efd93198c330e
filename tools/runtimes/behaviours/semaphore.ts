import type { DistributedSemaphore } from '@frontmcp/guard';

import type { Behaviour } from './behaviour.ts';
import { refusalOf } from './refusal-of.ts';
import { sleep } from './sleep.ts';

const PATIENCE_MS = 60_000;

export const semaphore: Behaviour = {
  name: 'semaphore',
  expected: {
    mostAtOnce: 3,
    served: [0, 1, 2, 3, 4, 5, 6, 7],
    takenWhileHeld: 1,
    withoutWaiting: null,
    afterAWait: 'QUEUE_TIMEOUT 429',
    releases: [true, false],
    takenAfter: 0,
    disposed: true,
    afterDestroy: 'GUARD_STORAGE_UNAVAILABLE 503',
  },
  async observe({ guard }, { storage }) {
    const slots = new guard.DistributedSemaphore(storage, 30);
    const seen = {
      mostAtOnce: await observeConcurrency(slots),
      served: await observeOrder(slots),
      ...(await observeOneSlot(slots)),
    };
    await slots.destroy();
    return { ...seen, afterDestroy: await refusalOf(() => slots.acquire('key', 1, 0, 'late')) };
  },
};

/** Nobody gives a slot back before three have one, however long the store takes to say so. */
async function observeConcurrency(slots: DistributedSemaphore): Promise<number> {
  const key = crypto.randomUUID();
  let running = 0;
  let most = 0;
  let areThree = (): void => undefined;
  const three = new Promise<void>((resolve) => (areThree = resolve));
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      const ticket = await slots.acquire(key, 3, PATIENCE_MS, 'work');
      running += 1;
      most = Math.max(most, running);
      if (running === 3) areThree();
      await three;
      await sleep(1);
      running -= 1;
      await ticket?.release();
    }),
  );
  return most;
}

async function observeOrder(slots: DistributedSemaphore): Promise<number[]> {
  const key = crypto.randomUUID();
  const served: number[] = [];
  await Promise.all(
    Array.from({ length: 8 }, async (_, caller) => {
      const ticket = await slots.acquire(key, 1, PATIENCE_MS, 'work');
      served.push(caller);
      await ticket?.release();
    }),
  );
  return served;
}

async function observeOneSlot(slots: DistributedSemaphore): Promise<Record<string, unknown>> {
  const key = crypto.randomUUID();
  const ticket = await slots.acquire(key, 1, 0, 'work');
  const takenWhileHeld = await slots.getActiveCount(key);
  const withoutWaiting = await slots.acquire(key, 1, 0, 'work');
  const afterAWait = await refusalOf(() => slots.acquire(key, 1, 20, 'work'));
  const releases = [await ticket?.release(), await ticket?.release()];
  const takenAfter = await slots.getActiveCount(key);
  const another = await slots.acquire(key, 1, 0, 'work');
  await another?.[Symbol.asyncDispose]();
  const disposed = (await slots.getActiveCount(key)) === 0 && another !== null;
  return { takenWhileHeld, withoutWaiting, afterAWait, releases, takenAfter, disposed };
}
