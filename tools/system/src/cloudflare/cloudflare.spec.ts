import { join } from 'node:path';

import { errorHelp } from '@frontmcp/guard-core';
import { startWorker, type LocalWorker } from '@frontmcp/guard-services';

jest.setTimeout(60_000);

let worker: LocalWorker;
beforeAll(async () => {
  worker = await startWorker({
    entry: join(__dirname, 'worker.ts'),
    kv: ['GUARD_KV'],
    objects: { GUARD: 'GuardObject' },
  });
});
afterAll(() => worker.stop());

describe('on Durable Objects', () => {
  it('a guard admits exactly its limit, whatever comes at once', async () => {
    const limits = {
      defaultRateLimit: { maxRequests: 7, windowMs: 3_600_000 },
      defaultConcurrency: { maxConcurrent: 20 },
      globalConcurrency: { maxConcurrent: 20 },
    };
    expect(await worker.run('managerOnObjects', limits)).toBe(7);
  });

  it('1,000 concurrent checks with a limit of 100 admit exactly 100', async () => {
    expect(await worker.run('concurrentChecks', 1_000, 100)).toBe(100);
  });

  it('200 concurrent acquires of four processes at 5 slots never hold more, and all get one', async () => {
    const outcome = await worker.run('concurrentAcquires', 200, 5);
    expect(outcome).toEqual({ most: 5, served: 200, left: 0 });
  });

  it('a SlidingWindowRateLimiter counts, denies for ever, refunds and resets', async () => {
    expect(await worker.run('limiter')).toEqual([[true, 1], [false, true], [false, true], 3, 3]);
  });

  it('a DistributedSemaphore holds, waits, times out, releases and resets', async () => {
    expect(await worker.run('semaphore')).toEqual({
      whileHeld: null,
      timedOut: `QueueTimeoutError: No slot of "test" freed up within 150 ms (see ${errorHelp('QUEUE_TIMEOUT')})`,
      holders: 1,
      wasReleased: true,
      afterReset: 0,
      wasReleasedAgain: false,
    });
  });

  it('a Worker that guards itself admits exactly its limit', async () => {
    const client = { 'x-client': 'one' };
    const replies = Array.from({ length: 20 }, () => worker.statusOf('/guarded', client));
    const statuses = (await Promise.all(replies)).sort();
    expect(statuses).toEqual([...Array<number>(5).fill(200), ...Array<number>(15).fill(429)]);
  });

  it('requests that wait for each other are all served, and keep their leases, each with a semaphore of its own', async () => {
    const client = { 'x-client': 'two' };
    const replies = Array.from({ length: 4 }, () => worker.statusOf('/in-turn', client));
    expect(await Promise.all(replies)).toEqual([200, 200, 200, 200]);
  });
});

describe('on Cloudflare KV', () => {
  const rate = { maxRequests: 3, windowMs: 3_600_000 };

  it('[ST-03] [ST-23] a guard counts in the namespace that it is given', async () => {
    const allowed = await worker.run('managerOnKv', { defaultRateLimit: rate });
    expect(allowed).toEqual([true, true, true, false]);
  });

  it('[ST-23] a guard with a concurrency limit is refused at the start', async () => {
    const starting = worker.run('managerOnKv', { defaultConcurrency: { maxConcurrent: 1 } });
    await expect(starting).rejects.toThrow('GuardStorageUnsupportedError');
  });

  it.each([{ writeIntervalMs: 0 }, {}])(
    'rates are limited by plain calls, and a semaphore is refused: %j',
    async (options) => {
      expect(await worker.run('guardsOnKv', options)).toEqual({
        admitted: [true, true, true, false, false],
        refused: `GuardStorageUnsupportedError: The storage cannot hold leases: it has no compareAndDelete and compareAndExpire, and no execute (see ${errorHelp('GUARD_STORAGE_UNSUPPORTED')})`,
        counts: ['3'],
      });
    },
  );
});
