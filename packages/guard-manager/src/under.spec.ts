import { GuardStorageUnavailableError } from '@frontmcp/guard-core';
import { IpBlockedError } from '@frontmcp/guard-ip-filter';
import { RateLimitError } from '@frontmcp/guard-rate-limit';
import { ConcurrencyLimitError, QueueTimeoutError } from '@frontmcp/guard-semaphore';
import { createMemoryStorage } from '@frontmcp/guard-storage-adapters';
import { ExecutionTimeoutError } from '@frontmcp/guard-timeout';

import {
  destroyManagers,
  intercept,
  openManager,
  recordingLogger,
  stores,
} from '../test/managers.js';
import type { GuardManager, GuardPermit } from './index.js';

const rate = { maxRequests: 100, windowMs: 3_600_000 };

/** How many calls the global rate has counted; the look is taken off again. */
async function globallyCounted(guard: GuardManager): Promise<number> {
  const { currentCount } = await guard.checkGlobalRateLimit(undefined);
  return currentCount;
}

afterEach(destroyManagers);

describe.each(stores)('a call under a permit, taking $store', ({ store, open }) => {
  test('is not counted again by the global rate, and is by its own', async () => {
    const guard = await openManager({ global: rate, defaultRateLimit: rate }, open());
    const request = await guard.enter('http');
    const call = await guard.enter('tool', { under: request });
    expect(call.rateLimits.global).toBe(request.rateLimits.global);
    expect(call.rateLimits.entity).toMatchObject({ allowed: true, remaining: 99 });
    expect(await globallyCounted(guard)).toBe(2);
  });

  test('is the only one: a second call in the same request is counted on its own', async () => {
    const guard = await openManager({ global: rate }, open());
    const request = await guard.enter('http');
    await guard.run('tool', { under: request }, () => 'first');
    await guard.run('tool', { under: request }, () => 'second');
    await guard.run('tool', { under: request }, () => 'third');
    expect(await globallyCounted(guard)).toBe(4);
  });

  test('takes no global slot of its own: the request holds it already', async () => {
    const guard = await openManager({ globalConcurrency: { maxConcurrent: 1 } }, open());
    const request = await guard.enter('http');
    expect(await guard.run('tool', { under: request }, () => 'ran')).toBe('ran');
    await expect(guard.enter('tool', { under: request })).rejects.toThrow(ConcurrencyLimitError);
    await request.release();
    await (await guard.enter('tool')).release();
  });

  test('keeps the global slot after the request has ended, until it has ended too', async () => {
    const guard = await openManager({ globalConcurrency: { maxConcurrent: 1 } }, open());
    const request = await guard.enter('http');
    const call = await guard.enter('tool', { under: request });
    await request.release();
    await request.release();
    await expect(guard.enter('other')).rejects.toThrow(ConcurrencyLimitError);
    await call.release();
    await (await guard.enter('other')).release();
  });

  test('leaves the slot with the request when it is refused', async () => {
    const guard = await openManager(
      { globalConcurrency: { maxConcurrent: 1 }, defaultRateLimit: { ...rate, maxRequests: 1 } },
      open(),
    );
    await guard.run('tool', { concurrency: false }, () => 0);
    const request = await guard.enter('http');
    await expect(guard.enter('tool', { under: request })).rejects.toThrow(RateLimitError);
    await expect(guard.run('tool', { under: request }, () => 0)).rejects.toThrow(RateLimitError);
    await expect(guard.enter('other', { rateLimit: false })).rejects.toThrow(ConcurrencyLimitError);
    await request.release();
    await (await guard.enter('other', { rateLimit: false })).release();
  });

  test('gives its part back when the caller is gone before its work begins', async () => {
    const guard = await openManager({ globalConcurrency: { maxConcurrent: 1 } }, open());
    const request = await guard.enter('http');
    const gone = AbortSignal.abort(new Error('gone'));
    await expect(guard.run('tool', { under: request, signal: gone }, () => 0)).rejects.toThrow(
      'gone',
    );
    await request.release();
    await (await guard.enter('other')).release();
  });

  test('gives its part back when the caller goes between its admission and its work', async () => {
    const config = { globalConcurrency: { maxConcurrent: 1 }, defaultRateLimit: rate };
    const guard = await openManager(config, open());
    const request = await guard.enter('http');
    const caller = new AbortController();
    const { signal } = caller;
    let looks = 0;
    // The last look before the work: where the answer takes time, the signal is looked at again when it is there.
    const last = store === 'all steps at once' ? 1 : 2;
    const look = (): void => {
      AbortSignal.prototype.throwIfAborted.call(signal);
      looks += 1;
      if (looks === last) caller.abort(new Error('gone'));
    };
    Object.defineProperty(signal, 'throwIfAborted', { value: look });
    const work = jest.fn();
    await expect(guard.run('tool', { under: request, signal }, work)).rejects.toThrow('gone');
    expect(work).not.toHaveBeenCalled();
    expect(looks).toBe(last);
    await request.release();
    await (await guard.enter('other')).release();
  });

  test('changes nothing with a permit that is released, or of another manager', async () => {
    const guard = await openManager({ global: rate }, open());
    const other = await openManager({ global: rate }, open());
    const released = await guard.enter('http');
    await released.release();
    await guard.run('tool', { under: released }, () => 0);
    expect(await globallyCounted(guard)).toBe(3);
    await guard.run('tool', { under: await other.enter('http') }, () => 0);
    expect(await globallyCounted(guard)).toBe(5);
  });

  test('is counted for its own caller when the request was counted for another', async () => {
    const byUser = { ...rate, maxRequests: 2, partitionBy: 'userId' } as const;
    const guard = await openManager({ global: byUser }, open());
    const call = async (userId: string): Promise<GuardPermit> => {
      const context = { sessionId: 's', userId: `request of ${userId}` };
      const request = await guard.enter('http', { context });
      return guard.enter('tool', { under: request, context: { sessionId: 's', userId } });
    };
    const ada = await call('ada');
    expect(ada.rateLimits.global).toMatchObject({ remaining: 1 });
    await call('ada');
    await call('bob');
    const context = { sessionId: 's', userId: 'ada' };
    await expect(guard.enter('tool', { context })).rejects.toThrow(RateLimitError);
  });

  test('takes a slot of its own caller when the request has one of another', async () => {
    const globalConcurrency = { maxConcurrent: 1, partitionBy: 'userId' } as const;
    const guard = await openManager({ global: rate, globalConcurrency }, open());
    const of = (userId: string) => ({ context: { sessionId: 's', userId } });
    const request = await guard.enter('http', of('proxy'));
    const call = await guard.enter('tool', { under: request, ...of('ada') });
    expect(await globallyCounted(guard)).toBe(2);
    await expect(guard.enter('tool', of('ada'))).rejects.toThrow(ConcurrencyLimitError);
    await request.release();
    await (await guard.enter('http', of('proxy'))).release();
    await call.release();
    await (await guard.enter('tool', of('ada'))).release();
  });

  test('stands for the first call of its own caller, whoever called before', async () => {
    const guard = await openManager({ global: { ...rate, partitionBy: 'userId' } }, open());
    const of = (userId: string) => ({ context: { sessionId: 's', userId } });
    const request = await guard.enter('http', of('ada'));
    await guard.enter('tool', { under: request, ...of('bob') });
    const call = await guard.enter('tool', { under: request, ...of('ada') });
    expect(call.rateLimits.global).toBe(request.rateLimits.global);
  });

  test('is covered for a caller whose key has to be hashed', async () => {
    const guard = await openManager({ global: { ...rate, partitionBy: 'userId' } }, open());
    const context = { sessionId: 's', userId: 'a'.repeat(300) };
    const request = await guard.enter('http', { context });
    const call = await guard.enter('tool', { under: request, context });
    expect(call.rateLimits.global).toBe(request.rateLimits.global);
  });

  test('may have a call under it in turn', async () => {
    const guard = await openManager(
      { global: rate, globalConcurrency: { maxConcurrent: 1 } },
      open(),
    );
    const request = await guard.enter('http');
    const tool = await guard.enter('tool', { under: request });
    const inner = await guard.enter('inner', { under: tool });
    await tool.release();
    await request.release();
    await expect(guard.enter('other')).rejects.toThrow(ConcurrencyLimitError);
    await inner.release();
    await (await guard.enter('other')).release();
    expect(await globallyCounted(guard)).toBe(3);
  });
});

describe.each(stores)('a refusal, taking $store', ({ open }) => {
  test('of a rate says whose it is and what the limit answered', async () => {
    const one = { ...rate, maxRequests: 1 };
    const guard = await openManager({ global: one, defaultRateLimit: one }, open());
    await (await guard.enter('t', { rateLimit: false })).release();
    const result = { allowed: false, limit: 1, remaining: 0, windowMs: rate.windowMs };
    await expect(guard.enter('t')).rejects.toMatchObject({ scope: 'global', result });
    const own = await openManager({ defaultRateLimit: one }, open());
    await own.enter('t');
    await expect(own.enter('t')).rejects.toMatchObject({ scope: 'entity', result });
  });

  test('of a slot says whose it is', async () => {
    const none = { maxConcurrent: 1 };
    const guard = await openManager({ globalConcurrency: none }, open());
    await guard.enter('t');
    await expect(guard.enter('t')).rejects.toMatchObject({ scope: 'global' });
    await expect(guard.enter('t', { concurrency: none })).rejects.toMatchObject({
      scope: 'global',
    });
    const own = await openManager({ defaultConcurrency: none }, open());
    await own.enter('t');
    await expect(own.enter('t')).rejects.toMatchObject({ scope: 'entity' });
    const waiting = own.enter('t', { concurrency: { ...none, queueTimeoutMs: 5 } });
    await expect(waiting).rejects.toThrow(QueueTimeoutError);
    await expect(waiting).rejects.toMatchObject({ scope: 'entity' });
  });
});

describe('failOpen', () => {
  const down = (): Promise<never> =>
    Promise.reject(new GuardStorageUnavailableError('Storage is down'));
  const limits = { global: rate, defaultRateLimit: rate, defaultConcurrency: { maxConcurrent: 1 } };

  test('admits a call without its limits while the storage cannot be reached, and says so once', async () => {
    let isDown = true;
    const memory = createMemoryStorage();
    const storage = intercept(memory, 'executeTogether', (calls) =>
      isDown ? down() : memory.executeTogether(calls),
    );
    const logger = recordingLogger();
    const guard = await openManager(limits, storage, logger);
    logger.warnings.length = 0;
    await expect(guard.enter('t')).rejects.toThrow(GuardStorageUnavailableError);
    const permit = await guard.enter('t', { failOpen: true });
    expect(permit.rateLimits).toEqual({});
    expect(await guard.run('t', { failOpen: true }, () => 'ran')).toBe('ran');
    expect(logger.warnings).toEqual([
      'Calls are admitted without their limits, "t" first: storage cannot be reached',
    ]);
    isDown = false;
    const later = performance.now() + 1_000;
    const clock = jest.spyOn(performance, 'now').mockReturnValue(later);
    expect((await guard.enter('t', { failOpen: true })).rateLimits.global?.currentCount).toBe(1);
    clock.mockRestore();
    expect(logger.infos).toEqual(['Calls are admitted by their limits again']);
    await expect(guard.enter('t', { failOpen: true })).rejects.toThrow(ConcurrencyLimitError);
  });

  test('holds to the IP filter and to the timeout', async () => {
    const storage = intercept(createMemoryStorage(), 'executeTogether', down);
    const guard = await openManager({ ...limits, ipFilter: { denyList: ['192.0.2.1'] } }, storage);
    const context = { sessionId: 's', clientIp: '192.0.2.1' };
    await expect(guard.enter('t', { context, failOpen: true })).rejects.toThrow(IpBlockedError);
    const timeout = { executeMs: 5 };
    const never = (): Promise<never> => new Promise(() => undefined);
    const running = guard.run('t', { timeout, failOpen: true, releaseOnTimeout: true }, never);
    await expect(running).rejects.toThrow(ExecutionTimeoutError);
  });

  test('of a request covers no call: what the request never met, the call meets', async () => {
    let isDown = true;
    const memory = createMemoryStorage();
    const storage = intercept(memory, 'executeTogether', (calls) =>
      isDown ? down() : memory.executeTogether(calls),
    );
    const guard = await openManager(limits, storage);
    const request = await guard.enter('http', { failOpen: true });
    isDown = false;
    const call = await guard.enter('t', { under: request });
    expect(call.rateLimits.global).toMatchObject({ currentCount: 1 });
  });

  test('is no way in once the manager is destroyed', async () => {
    const guard = await openManager(limits);
    await guard.destroy();
    const refused = expect(guard.enter('t', { failOpen: true })).rejects;
    await refused.toMatchObject({ code: 'GUARD_STORAGE_UNAVAILABLE', wasSent: false });
  });
});
