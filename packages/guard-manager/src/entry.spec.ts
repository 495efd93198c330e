import { getEventListeners } from 'node:events';

import { IpBlockedError, IpNotAllowedError } from '@frontmcp/guard-ip-filter';
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
  without,
} from '../test/managers.js';
import type { GuardManager } from './index.js';

const context = { sessionId: 's1', clientIp: '203.0.113.5', userId: 'u1' };
const rate = { maxRequests: 10, windowMs: 3_600_000 };

/** A promise and its two ends. */
function gate(): { readonly promise: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const promise = new Promise<void>((resolve) => (open = resolve));
  return { promise, open };
}

async function counted(guard: GuardManager, entity: string): Promise<number> {
  const { currentCount } = await guard.checkRateLimit(
    entity,
    { ...rate, maxRequests: 1_000_000 },
    context,
  );
  return currentCount - 1;
}

async function globallyCounted(guard: GuardManager): Promise<number> {
  return (await guard.checkGlobalRateLimit(context)).currentCount - 1;
}

afterEach(destroyManagers);

describe.each(stores)('enter and run, taking $store', ({ open }) => {
  test('a call within its limits runs, and says what the limits said', async () => {
    const guard = await openManager(
      { global: rate, defaultRateLimit: { ...rate, maxRequests: 3 } },
      open(),
    );
    const permit = await guard.enter('t', { context });
    expect(permit.rateLimits.global).toMatchObject({ allowed: true, remaining: 9 });
    expect(permit.rateLimits.entity).toMatchObject({ allowed: true, remaining: 2 });
    await permit.release();
    expect(await guard.run('t', { context }, () => 'done')).toBe('done');
  });

  test('without any limit a call runs, and nothing is stored', async () => {
    const storage = open();
    const guard = await openManager({}, storage);
    expect(await guard.run('t', {}, () => 1)).toBe(1);
    expect(await storage.keys()).toEqual([]);
  });

  test('without any limit a call runs on a store that answers nobody', async () => {
    const storage = open();
    const guard = await openManager({}, storage);
    await storage.disconnect();
    expect(await guard.run('t', {}, () => 1)).toBe(1);
  });

  test('a call is waited for where the global Promise has been replaced', async () => {
    const concurrency = { maxConcurrent: 1, queueTimeoutMs: 1_000 };
    const limits = { defaultRateLimit: { ...rate, partitionBy: 'userId' as const } };
    const guard = await openManager({ ...limits, defaultConcurrency: concurrency }, open());
    const { Promise: own } = globalThis;
    globalThis.Promise = class Replaced<T> extends own<T> {};
    try {
      const permit = await guard.enter('t', { context: { ...context, userId: 'u'.repeat(300) } });
      const waiting = guard.run('t', { context }, () => 'done');
      await permit.release();
      expect(await waiting).toBe('done');
    } finally {
      globalThis.Promise = own;
    }
  });

  test('[GM-23] over the global limit is a RateLimitError that says when', async () => {
    const guard = await openManager({ global: { ...rate, maxRequests: 1 } }, open());
    await guard.run('t', { context }, () => 1);
    const refused = guard.run('t', { context }, () => 1);
    await expect(refused).rejects.toThrow(RateLimitError);
    await expect(refused).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      statusCode: 429,
      entityName: 'global',
      retryAfterMs: expect.any(Number) as number,
    });
  });

  test('B-08 a call refused by its own limit has not spent the global one', async () => {
    const guard = await openManager({ global: rate }, open());
    const rateLimit = { ...rate, maxRequests: 1 };
    for (let call = 0; call < 20; call++) {
      await guard.run('t', { context, rateLimit }, () => 1).catch(() => undefined);
    }
    expect(await globallyCounted(guard)).toBe(1);
  });

  test('a call refused by a full slot has spent neither rate nor the other slot', async () => {
    const guard = await openManager(
      { global: rate, globalConcurrency: { maxConcurrent: 5 } },
      open(),
    );
    const concurrency = { maxConcurrent: 1 };
    const held = await guard.enter('t', { context, concurrency, rateLimit: rate });
    const refused = guard.enter('t', { context, concurrency, rateLimit: rate });
    await expect(refused).rejects.toThrow(ConcurrencyLimitError);
    await expect(refused).rejects.toMatchObject({ code: 'CONCURRENCY_LIMIT', statusCode: 429 });
    expect(await globallyCounted(guard)).toBe(1);
    expect(await counted(guard, 't')).toBe(1);
    await held.release();
    const all = await Promise.all(
      Array.from({ length: 5 }, () => guard.acquireGlobalSemaphore(context)),
    );
    expect(all.every((ticket) => ticket !== null)).toBe(true);
  });

  test('a full global slot gives the slot of the entity back', async () => {
    const guard = await openManager({ globalConcurrency: { maxConcurrent: 1 } }, open());
    const concurrency = { maxConcurrent: 1 };
    const held = await guard.enter('a', { context, concurrency });
    await expect(guard.enter('b', { context, concurrency })).rejects.toThrow(ConcurrencyLimitError);
    await held.release();
    const next = await guard.enter('b', { context, concurrency });
    await next.release();
  });

  test('a call that waits in vain gives everything back', async () => {
    const guard = await openManager({ global: rate }, open());
    const concurrency = { maxConcurrent: 1, queueTimeoutMs: 20 };
    const held = await guard.enter('t', { context, concurrency, rateLimit: rate });
    const late = guard.enter('t', { context, concurrency, rateLimit: rate });
    await expect(late).rejects.toThrow(QueueTimeoutError);
    expect(await globallyCounted(guard)).toBe(1);
    expect(await counted(guard, 't')).toBe(1);
    await held.release();
  });

  test('nobody holds a global slot while waiting for an entity, and a waiter is served', async () => {
    const guard = await openManager(
      { globalConcurrency: { maxConcurrent: 2, queueTimeoutMs: 60_000 } },
      open(),
    );
    const concurrency = { maxConcurrent: 1, queueTimeoutMs: 60_000 };
    const held = await guard.enter('a', { context, concurrency });
    const waiting = guard.enter('a', { context, concurrency });
    const elsewhere = await guard.enter('b', { context, concurrency });
    await elsewhere.release();
    await held.release();
    await (await waiting).release();
  });

  test('order: address, global rate, own rate, slot', async () => {
    const guard = await openManager(
      { global: { ...rate, maxRequests: 1 }, ipFilter: { denyList: ['203.0.113.5'] } },
      open(),
    );
    const own = { rateLimit: { ...rate, maxRequests: 0 }, concurrency: { maxConcurrent: 1 } };
    await expect(guard.enter('t', { context, ...own })).rejects.toThrow(IpBlockedError);
    const elsewhere = { ...context, clientIp: '203.0.113.6' };
    await expect(guard.enter('t', { context: elsewhere, ...own })).rejects.toMatchObject({
      entityName: 't',
    });
    expect((await guard.checkGlobalRateLimit(context)).allowed).toBe(true);
    await expect(guard.enter('t', { context: elsewhere, ...own })).rejects.toMatchObject({
      entityName: 'global',
    });
  });

  test('200 concurrent runs at 5: never 6 inside, all served in order', async () => {
    const guard = await openManager({}, open());
    const concurrency = { maxConcurrent: 5, queueTimeoutMs: 60_000 };
    let inside = 0;
    let highest = 0;
    const order: number[] = [];
    const work = async (call: number): Promise<void> => {
      order.push(call);
      highest = Math.max(highest, ++inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside--;
    };
    const calls = Array.from({ length: 200 }, (_, call) =>
      guard.run('t', { concurrency }, () => work(call)),
    );
    await Promise.all(calls);
    expect(highest).toBe(5);
    expect(order).toEqual(Array.from({ length: 200 }, (_, call) => call));
  }, 30_000);

  test('a thousand concurrent runs against a limit of 100: exactly 100 run', async () => {
    const guard = await openManager({ global: { ...rate, maxRequests: 200 } }, open());
    const rateLimit = { ...rate, maxRequests: 100 };
    let ran = 0;
    const calls = Array.from({ length: 1_000 }, () =>
      guard.run('t', { context, rateLimit }, () => ran++).catch((error: unknown) => error),
    );
    const outcomes = await Promise.all(calls);
    const refused = outcomes.filter((outcome) => outcome instanceof RateLimitError);
    expect(ran).toBeLessThanOrEqual(100);
    expect(ran + refused.length).toBe(1_000);
    if (open().executeTogether !== undefined) expect(ran).toBe(100);
  });
});

test('steps on keys that live apart travel at once', async () => {
  const memory = createMemoryStorage();
  const arrived: string[] = [];
  const all = gate();
  const apart = without(
    intercept(
      intercept(memory, 'canMeet', () => false),
      'execute',
      async (operation, key, args) => {
        arrived.push(operation.name);
        if (arrived.length === 4) all.open();
        await all.promise;
        return memory.execute(operation, key, args);
      },
    ),
    'prepare',
    'immediate',
  );
  const slots = { maxConcurrent: 1 };
  const guard = await openManager(
    { global: rate, defaultRateLimit: rate, defaultConcurrency: slots, globalConcurrency: slots },
    apart,
  );
  const permit = await guard.enter('t', { context });
  expect(arrived.sort()).toEqual([
    'semaphore.acquire',
    'semaphore.acquire',
    'sliding-window.consume',
    'sliding-window.consume',
  ]);
  await permit.release();
});

describe('enter', () => {
  test('[GM-23] an address that is not allowed is refused', async () => {
    const guard = await openManager({
      ipFilter: { allowList: ['10.0.0.0/8'], defaultAction: 'deny' },
    });
    await expect(guard.enter('t', { context })).rejects.toThrow(IpNotAllowedError);
    await expect(guard.enter('t', {})).rejects.toMatchObject({
      code: 'IP_NOT_ALLOWED',
      statusCode: 403,
    });
    await (await guard.enter('t', { context: { sessionId: 's', clientIp: '10.1.2.3' } })).release();
  });

  test('false lifts a default', async () => {
    const guard = await openManager({
      defaultRateLimit: { maxRequests: 1 },
      defaultConcurrency: { maxConcurrent: 1 },
      defaultTimeout: { executeMs: 10 },
    });
    const lifted = { rateLimit: false, concurrency: false, timeout: false } as const;
    await guard.enter('t');
    for (let call = 0; call < 3; call++) await guard.enter('t', lifted);
  });

  test('a release is idempotent, by hand and by await using', async () => {
    const guard = await openManager({ defaultConcurrency: { maxConcurrent: 1 } });
    {
      await using permit = await guard.enter('t');
      await permit.release();
      await permit.release();
      const taken = await guard.enter('t');
      await permit.release();
      await expect(guard.enter('t')).rejects.toThrow(ConcurrencyLimitError);
      await taken.release();
    }
    await (await guard.enter('t')).release();
  });

  test('the signal of a permit follows the caller until the release', async () => {
    const guard = await openManager({ defaultConcurrency: { maxConcurrent: 5 } });
    const caller = new AbortController();
    const permit = await guard.enter('t', { signal: caller.signal });
    const released = await guard.enter('t', { signal: caller.signal });
    expect(permit.signal.aborted).toBe(false);
    expect(released.signal.aborted).toBe(false);
    await released.release();
    caller.abort(new Error('gone'));
    expect(permit.signal.reason).toEqual(new Error('gone'));
    expect(released.signal.aborted).toBe(false);
    await permit.release();
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0);
  });

  test('the signal of a permit aborts when the timeout passes', async () => {
    jest.useFakeTimers();
    try {
      const guard = await openManager({});
      const permit = await guard.enter('t', { timeout: { executeMs: 100 } });
      await jest.advanceTimersByTimeAsync(60);
      expect(permit.signal.aborted).toBe(false);
      await jest.advanceTimersByTimeAsync(39);
      expect(permit.signal.aborted).toBe(false);
      await jest.advanceTimersByTimeAsync(1);
      expect(permit.signal.reason).toBeInstanceOf(ExecutionTimeoutError);

      const late = await guard.enter('t', { timeout: { executeMs: 100 } });
      await jest.advanceTimersByTimeAsync(200);
      expect(late.signal.reason).toBeInstanceOf(ExecutionTimeoutError);

      const armed = jest.spyOn(globalThis, 'setTimeout');
      const cleared = jest.spyOn(globalThis, 'clearTimeout');
      const released = await guard.enter('t', { timeout: { executeMs: 100 } });
      expect(released.signal.aborted).toBe(false);
      await released.release();
      expect(armed).toHaveBeenCalledTimes(1);
      expect(cleared).toHaveBeenCalledWith(armed.mock.results[0]?.value);
    } finally {
      jest.useRealTimers();
    }
  });

  test('the signal of a permit aborts when its slot is lost', async () => {
    const storage = createMemoryStorage();
    const guard = await openManager({ defaultConcurrency: { maxConcurrent: 1 } }, storage);
    jest.useFakeTimers();
    try {
      const permit = await guard.enter('t');
      const { signal } = permit;
      await storage.delete('mcp:guard:t:global:sem');
      await jest.advanceTimersByTimeAsync(150_000);
      expect(signal.reason).toMatchObject({ code: 'LEASE_LOST' });
      await permit.release();
    } finally {
      jest.useRealTimers();
    }
  });

  test('a caller that is gone is not admitted, and nothing is asked', async () => {
    const storage = createMemoryStorage();
    const guard = await openManager({ global: rate }, storage);
    const gone = AbortSignal.abort(new Error('gone'));
    await expect(guard.enter('t', { context, signal: gone })).rejects.toThrow('gone');
    expect(await storage.keys()).toEqual([]);
  });

  test('a caller that goes while it is admitted gives everything back', async () => {
    const caller = new AbortController();
    const memory = createMemoryStorage();
    const storage = intercept(memory, 'executeTogether', async (...call) => {
      const results = await memory.executeTogether(...call);
      caller.abort(new Error('gone'));
      return results;
    });
    const guard = await openManager(
      { global: rate, defaultConcurrency: { maxConcurrent: 1 } },
      storage,
    );
    await expect(guard.enter('t', { context, signal: caller.signal })).rejects.toThrow('gone');
    expect(await globallyCounted(guard)).toBe(0);
    await (await guard.enter('t', { context })).release();
  });

  test('a refusal without a wait costs one round trip and writes nothing', async () => {
    const memory = createMemoryStorage();
    const together = jest.spyOn(memory, 'executeTogether');
    const alone = jest.spyOn(memory, 'execute');
    const guard = await openManager(
      { global: rate, defaultConcurrency: { maxConcurrent: 1 } },
      without(memory, 'immediate'),
    );
    await guard.enter('t', { context });
    together.mockClear();
    await expect(guard.enter('t', { context })).rejects.toThrow(ConcurrencyLimitError);
    expect(together).toHaveBeenCalledTimes(1);
    expect(alone).not.toHaveBeenCalled();
    expect(await globallyCounted(guard)).toBe(1);
  });

  test('a flood on a denied key of a store elsewhere costs no round trip', async () => {
    const memory = createMemoryStorage();
    const together = jest.spyOn(memory, 'executeTogether');
    const guard = await openManager(
      { global: { ...rate, maxRequests: 1 }, defaultRateLimit: rate },
      without(memory, 'inProcess'),
    );
    await guard.enter('t', { context });
    await expect(guard.enter('t', { context })).rejects.toThrow(RateLimitError);
    together.mockClear();
    for (let call = 0; call < 10; call++) {
      await expect(guard.enter('t', { context })).rejects.toThrow(RateLimitError);
    }
    expect(together).not.toHaveBeenCalled();
  });

  test('maxQueue bounds who waits', async () => {
    const guard = await openManager({});
    const concurrency = { maxConcurrent: 1, queueTimeoutMs: 60_000, maxQueue: 1 };
    const held = await guard.enter('t', { concurrency });
    const waiting = guard.enter('t', { concurrency });
    await new Promise((resolve) => setImmediate(resolve));
    await expect(guard.enter('t', { concurrency })).rejects.toThrow(ConcurrencyLimitError);
    await held.release();
    await (await waiting).release();
  });

  test('an abort ends an admission in flight at once, and what comes later is given back', async () => {
    const memory = createMemoryStorage();
    const { promise, open } = gate();
    let asked = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const storage = intercept(memory, 'executeTogether', async (...call) => {
      asked();
      await promise;
      return memory.executeTogether(...call);
    });
    const guard = await openManager(
      { global: rate, defaultConcurrency: { maxConcurrent: 1 } },
      storage,
    );
    const caller = new AbortController();
    const entering = guard.enter('t', { context, signal: caller.signal });
    await isAsked;
    caller.abort(new Error('gone'));
    await expect(entering).rejects.toThrow('gone');
    open();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await globallyCounted(guard)).toBe(0);
    expect((await guard.tryAcquireSemaphore('t', undefined, context)).acquired).toBe(true);
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0);
  });

  test('a signal first read after the release never aborts', async () => {
    const guard = await openManager({ defaultConcurrency: { maxConcurrent: 5 } });
    const caller = new AbortController();
    const permit = await guard.enter('t', { signal: caller.signal, timeout: { executeMs: 1 } });
    await permit.release();
    caller.abort(new Error('gone'));
    expect(permit.signal.aborted).toBe(false);
  });

  test('S-52 a timeout over 2^31 - 1 ms is honoured, not fired at once', async () => {
    jest.useFakeTimers();
    try {
      const guard = await openManager({});
      const executeMs = 2 ** 31 + 10;
      const permit = await guard.enter('t', { timeout: { executeMs } });
      const { signal } = permit;
      await jest.advanceTimersByTimeAsync(executeMs - 1);
      expect(signal.aborted).toBe(false);
      await jest.advanceTimersByTimeAsync(1);
      expect(signal.aborted).toBe(true);
      await permit.release();
    } finally {
      jest.useRealTimers();
    }
  });

  test('a signal read late still knows what happened, or that the call is over', async () => {
    const guard = await openManager({ defaultConcurrency: { maxConcurrent: 5 } });
    const caller = new AbortController();
    const permit = await guard.enter('t', { signal: caller.signal });
    const released = await guard.enter('t', { signal: caller.signal });
    await released.release();
    const { signal } = released;
    caller.abort(new Error('gone'));
    expect(permit.signal.reason).toEqual(new Error('gone'));
    expect(signal.aborted).toBe(false);
    await permit.release();
  });

  test('a failed round trip is abandoned: what it may have taken comes back', async () => {
    const memory = createMemoryStorage();
    let lose = false;
    const storage = intercept(memory, 'executeTogether', async (...call) => {
      const results = await memory.executeTogether(...call);
      if (lose) throw new Error('reply lost');
      return results;
    });
    const guard = await openManager(
      { global: rate, defaultConcurrency: { maxConcurrent: 1 } },
      storage,
    );
    lose = true;
    await expect(guard.enter('t', { context })).rejects.toThrow('reply lost');
    lose = false;
    const waits = { maxConcurrent: 1, queueTimeoutMs: 5_000 };
    await (await guard.enter('t', { context, concurrency: waits })).release();
  });

  test('a refund that fails is told to the logger and hides nothing', async () => {
    const logger = recordingLogger();
    const memory = createMemoryStorage();
    const storage = intercept(without(memory, 'executeTogether'), 'execute', (...call) =>
      call[0].name === 'sliding-window.refund'
        ? Promise.reject(new Error('refund lost'))
        : memory.execute(...call),
    );
    const guard = await openManager({ global: rate }, storage, logger);
    const rateLimit = { ...rate, maxRequests: 0 };
    await expect(guard.enter('t', { context, rateLimit })).rejects.toThrow(RateLimitError);
    expect(logger.warnings).toEqual(['Rate limit of "global" could not be given back']);
  });

  test('disabled, everything passes', async () => {
    const guard = await openManager({
      enabled: false,
      global: { maxRequests: 1 },
      defaultConcurrency: { maxConcurrent: 1 },
      defaultTimeout: { executeMs: 1 },
      ipFilter: { denyList: ['203.0.113.5'] },
    });
    const caller = new AbortController();
    for (let call = 0; call < 3; call++) {
      const permit = await guard.enter('t', { context, signal: caller.signal });
      expect(permit.signal).toBe(caller.signal);
      await permit.release();
    }
    const slow = () => new Promise<string>((resolve) => setTimeout(resolve, 20, 'done'));
    expect(await guard.run('t', { context }, slow)).toBe('done');
    await expect(
      guard.run('t', {}, () => {
        throw new Error('mine');
      }),
    ).rejects.toThrow('mine');
  });
});

describe('admit', () => {
  const config = {
    global: rate,
    defaultRateLimit: { ...rate, maxRequests: 2, partitionBy: 'userId' as const },
    defaultConcurrency: { maxConcurrent: 1, queueTimeoutMs: 1_000 },
  };

  test('gives the permit itself where nothing has to be waited for', async () => {
    const guard = await openManager(config);
    const permit = guard.admit('t', { context });
    if (permit instanceof Promise) throw new Error('It is a promise');
    expect(permit.rateLimits).toMatchObject({ global: { remaining: 9 }, entity: { remaining: 1 } });
    expect(await globallyCounted(guard)).toBe(1);
    await permit.release();
    const lifted = { context, concurrency: false, rateLimit: false } as const;
    expect(guard.admit('t', lifted)).not.toBeInstanceOf(Promise);
    expect((await openManager({ enabled: false })).admit('t')).not.toBeInstanceOf(Promise);
  });

  test('throws a refusal, and takes nothing with it', async () => {
    const guard = await openManager({ ...config, defaultConcurrency: { maxConcurrent: 1 } });
    await guard.admit('t', { context });
    expect(() => guard.admit('t', { context })).toThrow(ConcurrencyLimitError);
    expect(await globallyCounted(guard)).toBe(1);
    const signal = AbortSignal.abort(new Error('gone'));
    expect(() => guard.admit('t', { context, signal })).toThrow('gone');
    await guard.admit('t', { context, concurrency: false });
    expect(() => guard.admit('t', { context, concurrency: false })).toThrow(RateLimitError);
    expect(() => guard.admit('t', { contxt: context } as never)).toThrow('"contxt"');
  });

  test('gives a promise to who waits for a slot, and for a key to be hashed', async () => {
    const guard = await openManager(config);
    const first = guard.admit('t', { context });
    const second = guard.admit('t', { context });
    expect(second).toBeInstanceOf(Promise);
    await (await first).release();
    await (await second).release();
    const long = guard.admit('t', { context: { ...context, userId: 'u'.repeat(300) } });
    expect(long).toBeInstanceOf(Promise);
    await (await long).release();
  });

  test('gives a promise where the storage does, which rejects with a refusal', async () => {
    const guard = await openManager(
      { defaultRateLimit: { ...rate, maxRequests: 1 } },
      without(createMemoryStorage(), 'immediate'),
    );
    await (await guard.admit('t', { context })).release();
    const refused = guard.admit('t', { context });
    await expect(refused).rejects.toThrow(RateLimitError);
  });
});

describe('run', () => {
  const concurrency = { maxConcurrent: 1 };

  async function isFree(guard: GuardManager): Promise<boolean> {
    const outcome = await guard.tryAcquireSemaphore('t', concurrency, undefined);
    if (outcome.acquired) await outcome.ticket.release();
    return outcome.acquired;
  }

  test.each([
    ['returns', () => Promise.resolve(1)],
    [
      'throws',
      () => {
        throw new Error('mine');
      },
    ],
    ['rejects', () => Promise.reject(new Error('mine'))],
  ])('the slot is back when the work %s and the call has settled', async (_how, work) => {
    const guard = await openManager({});
    await guard.run('t', { concurrency }, work).catch(() => undefined);
    expect(await isFree(guard)).toBe(true);
  });

  test('the storage has let the slot go before the call settles', async () => {
    const memory = createMemoryStorage();
    const order: string[] = [];
    const storage = intercept(
      without(memory, 'prepare', 'immediate'),
      'execute',
      async (...call) => {
        const result = await memory.execute(...call);
        if (call[0].name !== 'semaphore.release') return result;
        await new Promise((resolve) => setImmediate(resolve));
        order.push('released');
        return result;
      },
    );
    const guard = await openManager({}, storage);
    await guard.run('t', { concurrency }, () => order.push('worked'));
    order.push('settled');
    expect(order).toEqual(['worked', 'released', 'settled']);
  });

  test('the wait for overrunning work keeps no process alive, and ends with the work', async () => {
    const guard = await openManager({});
    const { promise, open } = gate();
    const set = jest.spyOn(globalThis, 'setTimeout');
    const cleared = jest.spyOn(globalThis, 'clearTimeout');
    const options = { concurrency, timeout: { executeMs: 5 }, maxOverrunMs: 77_777 };
    await expect(guard.run('t', options, () => promise)).rejects.toThrow(ExecutionTimeoutError);
    await new Promise((resolve) => setImmediate(resolve));
    const at = set.mock.calls.findIndex(([, delayMs]) => delayMs === 77_777);
    const timer = set.mock.results[at]?.value as NodeJS.Timeout;
    expect(timer.hasRef()).toBe(false);
    open();
    await new Promise((resolve) => setImmediate(resolve));
    expect(cleared).toHaveBeenCalledWith(timer);
    set.mockRestore();
    cleared.mockRestore();
  });

  test('S-18 work that goes on after its timeout keeps its slot until it settles', async () => {
    const guard = await openManager({});
    const { promise, open } = gate();
    const call = guard.run('t', { concurrency, timeout: { executeMs: 10 } }, () => promise);
    await expect(call).rejects.toThrow(ExecutionTimeoutError);
    expect(await isFree(guard)).toBe(false);
    open();
    await promise;
    await new Promise((resolve) => setImmediate(resolve));
    expect(await isFree(guard)).toBe(true);
  });

  test('work whose caller goes while it starts keeps its slot until it settles, and is counted', async () => {
    const guard = await openManager({ defaultRateLimit: rate });
    const caller = new AbortController();
    const end = gate();
    const options = { concurrency: { maxConcurrent: 1 }, context, signal: caller.signal };
    const call = guard.run('t', options, async () => {
      caller.abort(new Error('gone'));
      await end.promise;
    });
    await expect(call).rejects.toThrow('gone');
    await expect(guard.run('t', { ...options, signal: undefined }, () => 0)).rejects.toThrow(
      ConcurrencyLimitError,
    );
    end.open();
    await end.promise;
    await new Promise((resolve) => setImmediate(resolve));
    expect(await guard.run('t', { ...options, signal: undefined }, () => 0)).toBe(0);
    expect(await counted(guard, 't')).toBe(2);
    const thrown = guard.run('t', { signal: AbortSignal.any([]), context }, () => {
      throw new Error('mine');
    });
    await expect(thrown).rejects.toThrow('mine');
  });

  test('work that aborts its caller and throws is rejected with the reason of the abort', async () => {
    const guard = await openManager({});
    const caller = new AbortController();
    const call = guard.run('t', { signal: caller.signal }, () => {
      caller.abort(new Error('gone'));
      throw new Error('mine');
    });
    await expect(call).rejects.toThrow('gone');
  });

  test('S-55 work that rejects after its timeout harms nobody and frees its slot', async () => {
    const guard = await openManager({});
    const { promise, open } = gate();
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    const call = guard.run('t', { concurrency, timeout: { executeMs: 10 } }, async () => {
      await promise;
      throw new Error('late');
    });
    await expect(call).rejects.toThrow(ExecutionTimeoutError);
    open();
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
    expect(await isFree(guard)).toBe(true);
  });

  test('releaseOnTimeout frees the slot at once', async () => {
    const guard = await openManager({});
    const { promise, open } = gate();
    const options = { concurrency, timeout: { executeMs: 10 }, releaseOnTimeout: true };
    await expect(guard.run('t', options, () => promise)).rejects.toThrow(ExecutionTimeoutError);
    expect(await isFree(guard)).toBe(true);
    open();
  });

  test('work that overruns too long has its slot freed, and the logger hears of it', async () => {
    const logger = recordingLogger();
    const guard = await openManager({}, createMemoryStorage(), logger);
    jest.useFakeTimers();
    try {
      const call = guard.run(
        't',
        { concurrency, timeout: { executeMs: 10 }, maxOverrunMs: 1_000 },
        () => new Promise(() => undefined),
      );
      const refused = expect(call).rejects.toThrow(ExecutionTimeoutError);
      await jest.advanceTimersByTimeAsync(10);
      await refused;
      await jest.advanceTimersByTimeAsync(999);
      expect(await isFree(guard)).toBe(false);
      await jest.advanceTimersByTimeAsync(1);
      expect(await isFree(guard)).toBe(true);
      expect(logger.warnings).toEqual([expect.stringContaining('still runs 1000 ms')]);
    } finally {
      jest.useRealTimers();
    }
  });

  test.each([-1, NaN, 2 ** 31])(
    'maxOverrunMs of %p is a RangeError before anything is taken',
    async (maxOverrunMs) => {
      const guard = await openManager({ global: rate });
      const call = guard.run('t', { maxOverrunMs }, () => 1);
      await expect(call).rejects.toThrow(RangeError);
      await expect(call).rejects.toThrow(String(maxOverrunMs));
      expect(await globallyCounted(guard)).toBe(0);
    },
  );

  test.each([0, -1, NaN])(
    'a timeout of %p is a RangeError before anything is taken',
    async (executeMs) => {
      const guard = await openManager({ global: rate });
      const call = guard.run('t', { timeout: { executeMs } }, () => 1);
      await expect(call).rejects.toThrow(RangeError);
      expect(await globallyCounted(guard)).toBe(0);
    },
  );

  test("the caller's abort ends the call with the caller's reason", async () => {
    const guard = await openManager({});
    const { promise, open } = gate();
    const caller = new AbortController();
    let seen: AbortSignal | undefined;
    const call = guard.run('t', { concurrency, signal: caller.signal }, (signal) => {
      seen = signal;
      return promise;
    });
    await new Promise((resolve) => setImmediate(resolve));
    caller.abort(new Error('gone'));
    await expect(call).rejects.toThrow('gone');
    expect(seen?.reason).toEqual(new Error('gone'));
    expect(await isFree(guard)).toBe(false);
    open();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await isFree(guard)).toBe(true);
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0);
  });

  test('bad limits of a call are refused, and nothing is left', async () => {
    const storage = createMemoryStorage();
    const guard = await openManager({ global: rate }, storage);
    await expect(guard.run('t', { rateLimit: { maxRequests: -1 } }, () => 1)).rejects.toThrow(
      RangeError,
    );
    await expect(guard.run('t', { concurrency: { maxConcurrent: 0 } }, () => 1)).rejects.toThrow(
      RangeError,
    );
    expect(await storage.keys()).toEqual([]);
  });
});
