import { GuardStorageUnavailableError } from '@frontmcp/guard-core';

import { LeaseLostError, QueueTimeoutError } from '../src/index.js';
import { never, pass, processes, take, track } from './support.js';

describe.each(['atomic', 'immediate', 'plain'] as const)(
  'DistributedSemaphore on %s storage',
  (kind) => {
    const { memory, start } = processes(kind);

    /** What of the key is left in the store. */
    const keysOf = async (key: string) =>
      (await memory().keys('*')).filter(
        (name) => name.startsWith(key) && !name.endsWith(':extent'),
      );

    test('[SEM-01] at most max hold a slot of a key, over all processes', async () => {
      const [a, b] = [start(), start()];
      await take(a, 'k', 2);
      await take(b, 'k', 2);
      expect(await a.semaphore.acquire('k', 2, 0, 'x')).toBeNull();
      expect(await b.semaphore.acquire('k', 2, 0, 'x')).toBeNull();
      expect(await b.semaphore.acquire('other', 2, 0, 'x')).not.toBeNull();
    });

    test('[SEM-17] null when every slot is taken and the wait is 0', async () => {
      const a = start();
      await take(a, 'k', 1);
      expect(await a.semaphore.acquire('k', 1, 0, 'x')).toBeNull();
      expect(await a.semaphore.tryAcquire('k', 1)).toEqual({ acquired: false, reason: 'full' });
    });

    test('[SEM-18] [SEM-24] S-64: acquire throws QueueTimeoutError when it waited in vain, tryAcquire says so', async () => {
      const a = start();
      await take(a, 'k', 1);
      const waiting = track(a.semaphore.acquire('k', 1, 500, 'my-tool'));
      const trying = track(
        a.semaphore.tryAcquire('k', 1, { queueTimeoutMs: 500, name: 'my-tool' }),
      );
      await pass(499);
      expect([waiting.isSettled, trying.isSettled]).toEqual([false, false]);
      await pass(2);
      expect(waiting.error).toBeInstanceOf(QueueTimeoutError);
      expect(waiting.error).toMatchObject({
        code: 'QUEUE_TIMEOUT',
        statusCode: 429,
        entityName: 'my-tool',
        queueTimeoutMs: 500,
      });
      expect(trying.value).toEqual({ acquired: false, reason: 'timeout' });
    });

    test('[SEM-05] a released slot can be taken again, and nothing of it is left in the store', async () => {
      const a = start();
      const ticket = await take(a, 'k', 1);
      expect(await a.semaphore.getActiveCount('k')).toBe(1);
      expect(await ticket.release()).toBe(true);
      expect(await a.semaphore.getActiveCount('k')).toBe(0);
      expect(await keysOf('k')).toEqual([]);
      await take(a, 'k', 1);
    });

    test('S-2: a second release gives nothing back and says so', async () => {
      const a = start();
      const [first] = [await take(a, 'k', 2), await take(a, 'k', 2)];
      expect(await first.release()).toBe(true);
      const calls = a.calls.length;
      expect(await first.release()).toBe(false);
      expect(a.calls).toHaveLength(calls);
      await take(a, 'k', 2);
      expect(await a.semaphore.acquire('k', 2, 0, 'x')).toBeNull();
    });

    test('two releases at once give one slot back', async () => {
      const a = start();
      const ticket = await take(a, 'k', 2);
      await take(a, 'k', 2);
      expect(await Promise.all([ticket.release(), ticket.release()])).toEqual([true, false]);
      expect(await a.semaphore.getActiveCount('k')).toBe(1);
    });

    test('S-23: every acquire is a holder of its own', async () => {
      const a = start();
      const tickets = [await take(a, 'k', 2), await take(a, 'k', 2)];
      expect(new Set(tickets.map(({ id }) => id)).size).toBe(2);
      await tickets[0]!.release();
      expect(await a.semaphore.getActiveCount('k')).toBe(1);
    });

    test('[SEM-08] S-1: the slot of a process that died is free when its lease ends, and counts as free then', async () => {
      const [dead, alive] = [start(10), start(10)];
      await take(dead, 'k', 1);
      dead.intercept = never;
      await pass(9_999);
      expect(await alive.semaphore.acquire('k', 1, 0, 'x')).toBeNull();
      await pass(1);
      expect(await alive.semaphore.getActiveCount('k')).toBe(0);
      await take(alive, 'k', 1);
    });

    test('S-1: a waiter gets the slot of a process that died within a second of the end of its lease', async () => {
      const [dead, alive] = [start(10), start(10)];
      await take(dead, 'k', 1);
      dead.intercept = never;
      const waiting = track(alive.semaphore.acquire('k', 1, Infinity, 'x'));
      await pass(9_990);
      expect(waiting.isSettled).toBe(false);
      await pass(1_010);
      expect(waiting.value).toBeDefined();
    });

    test('[SEM-06] [SEM-07] a slot is held for as long as the execution runs, renewed every third of its lease', async () => {
      const [a, b] = [start(9), start(9)];
      const ticket = await take(a, 'k', 1);
      const renewals = () =>
        a.calls.filter(
          (call) => call === (kind !== 'plain' ? 'semaphore.renew' : 'compareAndExpire'),
        ).length;
      const before = renewals();
      await pass(2_900);
      expect(renewals()).toBe(before);
      await pass(200);
      expect(renewals()).toBeGreaterThan(before);
      await pass(60_000);
      expect(await b.semaphore.acquire('k', 1, 0, 'x')).toBeNull();
      expect(ticket.signal.aborted).toBe(false);
      expect(await ticket.release()).toBe(true);
    });

    test('[SEM-04] [SEM-16] the lease is 300 seconds unless the semaphore is told otherwise', async () => {
      const [dead, alive] = [start(), start()];
      await take(dead, 'k', 1);
      dead.intercept = never;
      await pass(299_999);
      expect(await alive.semaphore.getActiveCount('k')).toBe(1);
      await pass(1);
      expect(await alive.semaphore.getActiveCount('k')).toBe(0);
    });

    test('[SEM-09] S-4: a release after the lease was lost frees nobody else', async () => {
      const [slow, other] = [start(1), start(1)];
      const ticket = await take(slow, 'k', 1);
      slow.intercept = never;
      await pass(1_200);
      await take(other, 'k', 1);
      slow.calm();
      expect(await ticket.release()).toBe(false);
      expect(await other.semaphore.getActiveCount('k')).toBe(1);
      expect(await slow.semaphore.acquire('k', 1, 0, 'x')).toBeNull();
    });

    test('[SEM-10] S-7: a renewal that comes too late takes nothing back, and the ticket learns of it', async () => {
      const [slow, other] = [start(3), start(3)];
      const ticket = await take(slow, 'k', 1);
      let late: (() => void) | undefined;
      slow.intercept = (_call, run) =>
        new Promise((resolve, reject) => {
          late ??= () => void run().then(resolve, reject);
        });
      await pass(3_000);
      await take(other, 'k', 1);
      slow.calm();
      late?.();
      await pass();
      expect(ticket.signal.reason).toBeInstanceOf(LeaseLostError);
      expect(await other.semaphore.getActiveCount('k')).toBe(1);
    });

    test('S-8: a release ends the renewal, also one under way', async () => {
      const a = start(3);
      for (let round = 0; round < 50; round++) {
        const ticket = await take(a, `k${String(round)}`, 1);
        a.intercept = (call, run) =>
          call === 'semaphore.renew' || call === 'compareAndExpire'
            ? new Promise((resolve) => setTimeout(resolve, 5)).then(run)
            : run();
        await pass(1_002);
        await ticket.release();
      }
      a.calm();
      await pass(10_000);
      expect(await keysOf('k')).toEqual([]);
      expect((await memory().keys('*')).filter((name) => !name.endsWith(':extent'))).toEqual([]);
    });

    test('[SEM-12] S-30: a waiting caller is woken at once by a release', async () => {
      const [a, b] = [start(), start()];
      const ticket = await take(a, 'k', 1);
      const here = track(a.semaphore.acquire('k', 1, 60_000, 'x'));
      await pass(5_000);
      await ticket.release();
      await pass(20);
      const there = track(b.semaphore.acquire('k', 1, 60_000, 'x'));
      expect(here.value).toBeDefined();
      await pass(5_000);
      await here.value!.release();
      await pass(20);
      expect(there.value).toBeDefined();
    });

    test('waiters of one process are served in order of arrival', async () => {
      const a = start();
      const ticket = await take(a, 'k', 1);
      const order: number[] = [];
      const served = Array.from({ length: 20 }, async (_, index) => {
        const mine = await a.semaphore.acquire('k', 1, 60_000, 'x');
        order.push(index);
        await mine?.release();
      });
      await pass(10);
      await ticket.release();
      await pass(100);
      await Promise.all(served);
      expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
    });

    test('S-40: 200 callers at max 5: never 6 inside, all served in order', async () => {
      const a = start();
      let inside = 0;
      let most = 0;
      const order: number[] = [];
      const served = Array.from({ length: 200 }, async (_, index) => {
        const ticket = await a.semaphore.acquire('k', 5, Infinity, 'x');
        order.push(index);
        most = Math.max(most, ++inside);
        await new Promise((resolve) => setTimeout(resolve, 10));
        inside--;
        await ticket?.release();
      });
      await pass(2_000);
      await Promise.all(served);
      expect(most).toBe(5);
      expect(order).toEqual(Array.from({ length: 200 }, (_, index) => index));
      expect(await keysOf('k')).toEqual([]);
    });

    test('S-10: S-35: callers that gave up hold no place and get no slot', async () => {
      const a = start();
      const held = [await take(a, 'k', 2), await take(a, 'k', 2)];
      const waiting = Array.from({ length: 8 }, () => track(a.semaphore.acquire('k', 2, 50, 'x')));
      await pass(60);
      expect(waiting.every(({ error }) => error instanceof QueueTimeoutError)).toBe(true);
      expect((await a.semaphore.inspect('k')).queueLength).toBe(0);
      await Promise.all(held.map((ticket) => ticket.release()));
      await take(a, 'k', 2);
      await take(a, 'k', 2);
      expect(await a.semaphore.acquire('k', 2, 0, 'x')).toBeNull();
    });

    test('S-37: an abort ends the wait in the same tick with its reason, and leaves nothing', async () => {
      const a = start();
      const ticket = await take(a, 'k', 1);
      const controller = new AbortController();
      const waiting = track(
        a.semaphore.acquire('k', 1, Infinity, 'x', { signal: controller.signal }),
      );
      await pass(10);
      const reason = new Error('enough');
      controller.abort(reason);
      await Promise.resolve();
      await Promise.resolve();
      await Promise.resolve();
      expect(waiting.error).toBe(reason);
      await pass();
      expect((await a.semaphore.inspect('k')).queueLength).toBe(0);
      await ticket.release();
      await pass(100);
      expect(await keysOf('k')).toEqual([]);
      expect(a.subscriptions()).toBe(0);
    });

    test('an aborted signal rejects before anything is asked', async () => {
      const a = start();
      const signal = AbortSignal.abort('no');
      await expect(a.semaphore.acquire('k', 1, 0, 'x', { signal })).rejects.toBe('no');
      await expect(a.semaphore.tryAcquire('k', 1, { signal })).rejects.toBe('no');
      expect(a.calls).toEqual([]);
    });

    test('S-34: when the first of the queue gives up, the next one is first', async () => {
      const a = start();
      const ticket = await take(a, 'k', 1);
      const controller = new AbortController();
      const first = track(
        a.semaphore.acquire('k', 1, Infinity, 'x', { signal: controller.signal }),
      );
      await pass();
      const second = track(a.semaphore.acquire('k', 1, Infinity, 'x'));
      await pass();
      const released = ticket.release();
      controller.abort('enough');
      await released;
      await pass(20);
      expect(first.isSettled).toBe(true);
      if (first.error === undefined) await first.value?.release();
      await pass(20);
      expect(second.value).toBeDefined();
    });

    test('S-11: an abort at any moment loses no slot', async () => {
      for (let delay = 0; delay < 12; delay++) {
        const a = start();
        a.intercept = (_call, run) => new Promise((resolve) => setTimeout(resolve, 2)).then(run);
        const held = track(a.semaphore.acquire('k', 1, 1_000, 'x'));
        await pass(20);
        const controller = new AbortController();
        const options = { signal: controller.signal };
        const waiting = track(a.semaphore.acquire('k', 1, 1_000, 'x', options));
        const releasing = track(held.value!.release());
        await pass(delay);
        controller.abort('enough');
        await pass(50);
        expect(waiting.isSettled).toBe(true);
        expect(releasing.value).toBe(true);
        void waiting.value?.release();
        await pass(50);
        expect(await keysOf('k')).toEqual([]);
      }
    });

    test('S-38: the wait is counted once, over everything that it is made of', async () => {
      const a = start();
      await take(a, 'k', 1);
      a.intercept = (_call, run) => new Promise((resolve) => setTimeout(resolve, 90)).then(run);
      const startedMs = performance.now();
      const waiting = track(
        a.semaphore.acquire('k', 1, 500, 'x').catch(() => performance.now() - startedMs),
      );
      await pass(700);
      expect(waiting.value).toBeGreaterThanOrEqual(500);
      expect(waiting.value).toBeLessThanOrEqual(590);
    });

    test('S-45: a storage that is disconnected ends every wait within a second, also one without a deadline', async () => {
      const a = start();
      await take(a, 'k', 1);
      const waiting = [Infinity, 60_000, 60_000].map((ms) =>
        track(a.semaphore.acquire('k', 1, ms, 'x')),
      );
      await pass(10);
      await memory().disconnect();
      await pass(1_000);
      expect(waiting.map(({ error }) => error)).toEqual(
        waiting.map(() => expect.any(GuardStorageUnavailableError) as unknown),
      );
      const reports = a.reports.length;
      await pass(60_000);
      expect(a.reports.length - reports).toBeLessThanOrEqual(6);
    });

    test('a storage that fails during the wait ends it with its error, not with a timeout', async () => {
      const a = start();
      await take(a, 'k', 1);
      const waiting = track(a.semaphore.acquire('k', 1, 3_000, 'x'));
      await pass(10);
      a.intercept = () => Promise.reject(new GuardStorageUnavailableError('down'));
      await pass(3_000);
      expect(waiting.error).toBeInstanceOf(GuardStorageUnavailableError);
      expect(a.reports.length).toBeGreaterThan(0);
    });

    test('callers of one moment: no more than maxQueue of them wait, and a try waits for nobody', async () => {
      const a = start();
      const options = { queueTimeoutMs: 1_000, maxQueue: 2 };
      const calls = Array.from({ length: 6 }, () => track(a.semaphore.tryAcquire('k', 2, options)));
      const trying = track(a.semaphore.tryAcquire('k', 2));
      await pass(10);
      expect(calls.map(({ value }) => value?.acquired)).toEqual([
        true,
        true,
        undefined,
        undefined,
        false,
        false,
      ]);
      expect(calls[5]?.value).toEqual({ acquired: false, reason: 'queue-full' });
      expect(trying.value).toEqual({ acquired: false, reason: 'full' });
      await pass(1_000);
    });

    test('a try of the same moment as a call with a wait gets a slot too', async () => {
      const a = start();
      const { signal } = new AbortController();
      const calls = [
        a.semaphore.acquire('k', 4, 1_000, 'x'),
        a.semaphore.acquire('k', 4, 0, 'x'),
        a.semaphore.acquire('k', 4, 0, 'x', { signal }),
        a.semaphore.acquire('k', 4, 1_000, 'x'),
      ].map((call) => track(call));
      await pass();
      expect(calls.map(({ value }) => Boolean(value))).toEqual([true, true, true, true]);
    });

    test('S-15: a release that never succeeds renews nothing, and the lease ends', async () => {
      const [a, b] = [start(3), start(3)];
      const ticket = await take(a, 'k', 1);
      a.intercept = () => Promise.reject(new Error('down'));
      await ticket.release();
      await pass(3_000);
      await take(b, 'k', 1);
      const calls = a.calls.length;
      await pass(20_000);
      expect(a.calls).toHaveLength(calls);
    });

    test('S-27: renewals that fail are tried again, and the ticket stays', async () => {
      const a = start(6);
      const ticket = await take(a, 'k', 1);
      a.intercept = () => Promise.reject(new Error('down'));
      await pass(3_000);
      expect(a.reports.length).toBeGreaterThan(1);
      a.calm();
      await pass(20_000);
      expect(ticket.signal.aborted).toBe(false);
      expect(await ticket.release()).toBe(true);
    });

    test('S-27: renewals that fail are tried again 100 ms later, backing off, and anew after one that went well', async () => {
      const a = start(30);
      await take(a, 'k', 1);
      const startedMs = Date.now();
      const tries: number[] = [];
      let fails = 4;
      a.intercept = (call, run) => {
        if (call !== (kind !== 'plain' ? 'semaphore.renew' : 'mget')) return run();
        tries.push(Date.now() - startedMs);
        return fails-- > 0 ? Promise.reject(new Error('down')) : run();
      };
      await pass(12_000);
      expect(tries).toEqual([10_000, 10_100, 10_300, 10_700, 11_500]);
      fails = 1;
      await pass(10_000);
      expect(tries.slice(5)).toEqual([21_500, 21_600]);
    });

    test('S-27: when renewals fail for a whole lease, the signal aborts when it ends, not later', async () => {
      const a = start(6);
      const ticket = await take(a, 'k', 1);
      const { signal } = ticket;
      await pass(2_000);
      a.intercept = () => Promise.reject(new Error('down'));
      await pass(5_900);
      expect(signal.aborted).toBe(false);
      await pass(101);
      expect(signal.reason).toBeInstanceOf(LeaseLostError);
      expect(signal.reason).toMatchObject({
        code: 'LEASE_LOST',
        statusCode: 500,
        entityName: 'x',
        ticketId: ticket.id,
      });
    });

    test('onLost tells with what the signal aborts, at once when that was before, and no more when it is stopped', async () => {
      const a = start(6);
      const ticket = await take(a, 'k', 1);
      const heard: unknown[] = [];
      const stop = ticket.onLost(() => heard.push('stopped'));
      ticket.onLost((reason) => heard.push(reason, ticket.signal.aborted));
      stop();
      a.intercept = never;
      await pass(5_999);
      expect(heard).toEqual([]);
      await pass(2);
      expect(heard).toEqual([expect.any(LeaseLostError), true]);
      ticket.onLost((reason) => heard.push(reason === heard[0]));
      expect(heard[2]).toBe(true);
      const released = await take(start(6), 'other', 1);
      released.onLost(() => heard.push('released'));
      await released.release();
      await pass(12_000);
      expect(heard).toHaveLength(3);
    });

    test('S-27: a lease counts from the sending of its renewal, not from the answer', async () => {
      const a = start(6);
      const { signal } = await take(a, 'k', 1);
      a.intercept = async (_call, run) => {
        const result = await run();
        await new Promise((resolve) => setTimeout(resolve, 300));
        return result;
      };
      await pass(3_100);
      a.intercept = () => Promise.reject(new Error('down'));
      await pass(4_800);
      expect(signal.aborted).toBe(false);
      await pass(300);
      expect(signal.aborted).toBe(true);
    });

    test('S-27: when renewals hang, the signal aborts all the same', async () => {
      const a = start(6);
      const ticket = await take(a, 'k', 1);
      a.intercept = never;
      await pass(5_999);
      expect(ticket.signal.aborted).toBe(false);
      await pass(1);
      expect(ticket.signal.reason).toBeInstanceOf(LeaseLostError);
    });

    test('a ticket that was lost says so on release, and its slot goes back if nobody took it', async () => {
      const a = start(2);
      const ticket = await take(a, 'k', 1);
      a.intercept = never;
      await pass(2_000);
      a.calm();
      expect(await ticket.release()).toBe(false);
      expect(await keysOf('k')).toEqual([]);
    });

    test('no timer is left once nothing is held', async () => {
      const a = start();
      const ticket = await take(a, 'k', 1);
      await pass(1_000);
      await ticket.release();
      await memory().disconnect();
      expect(jest.getTimerCount()).toBe(0);
    });

    test('when the waiter that holds the others up gives up, they move up at once', async () => {
      const a = start();
      await take(a, 'k', 3);
      const controller = new AbortController();
      const { signal } = controller;
      const strict = track(a.semaphore.acquire('k', 1, Infinity, 'x', { signal }));
      await pass(5_010);
      const easy = track(a.semaphore.acquire('k', 3, Infinity, 'x'));
      await pass(10);
      expect(easy.isSettled).toBe(false);
      controller.abort('enough');
      await pass(1);
      expect([strict.error, easy.value === undefined]).toEqual(['enough', false]);
    });

    test('S-25: after the event loop was blocked for longer than the lease, the signal is aborted at first sight', async () => {
      const [blocked, other] = [start(2), start(2)];
      const ticket = await take(blocked, 'k', 1);
      const { signal } = ticket;
      jest.setSystemTime(Date.now() + 3_000);
      const now = performance.now();
      const clock = jest.spyOn(performance, 'now').mockReturnValue(now + 3_000);
      await take(other, 'k', 1);
      expect(ticket.signal).toBe(signal);
      expect(signal.aborted).toBe(true);
      expect(await ticket.release()).toBe(false);
      expect(await other.semaphore.getActiveCount('k')).toBe(1);
      clock.mockRestore();
    });

    test('S-52: a lease and a wait longer than a timer can be are honoured', async () => {
      const a = start(2 ** 31);
      const ticket = await take(a, 'k', 1);
      const waiting = track(a.semaphore.acquire('k', 1, 2 ** 31 + 1_000, 'x'));
      await pass(5_000);
      expect(ticket.signal.aborted).toBe(false);
      expect(waiting.isSettled).toBe(false);
      await ticket.release();
      await pass(10);
      expect(waiting.value).toBeDefined();
    });

    test('maxQueue bounds how many wait', async () => {
      const a = start();
      await take(a, 'k', 1);
      const options = { maxQueue: 2 };
      const waiting = [1, 2].map(() => track(a.semaphore.acquire('k', 1, 1_000, 'x', options)));
      await pass();
      expect(await a.semaphore.acquire('k', 1, 1_000, 'x', options)).toBeNull();
      expect(await a.semaphore.tryAcquire('k', 1, { queueTimeoutMs: 1_000, ...options })).toEqual({
        acquired: false,
        reason: 'queue-full',
      });
      expect(waiting.some(({ isSettled }) => isSettled)).toBe(false);
      await pass(1_100);
      const later = track(a.semaphore.acquire('k', 1, 1_000, 'x', options));
      await pass();
      expect(later.isSettled).toBe(false);
      await pass(1_100);
    });

    test('maxQueue 0 means that nobody waits, though a free slot is taken', async () => {
      const a = start();
      const options = { maxQueue: 0 };
      expect(await a.semaphore.acquire('k', 1, 1_000, 'x', options)).not.toBeNull();
      expect(await a.semaphore.acquire('k', 1, 1_000, 'x', options)).toBeNull();
    });

    test('S-22: several limits on one key add nothing up', async () => {
      const a = start();
      const tickets = [];
      for (let slot = 0; slot < 4; slot++) tickets.push(await take(a, 'k', 4));
      expect(await a.semaphore.acquire('k', 2, 0, 'x')).toBeNull();
      expect(await a.semaphore.acquire('k', 4, 0, 'x')).toBeNull();
      tickets.push(await take(a, 'k', 5));
      for (const ticket of tickets.slice(0, 3)) await ticket.release();
      expect(await a.semaphore.acquire('k', 2, 0, 'x')).toBeNull();
      await tickets[3]!.release();
      await take(a, 'k', 2);
      expect(await a.semaphore.getActiveCount('k')).toBe(2);
    });

    test('several lease lengths on one key keep to themselves', async () => {
      const [short, long] = [start(2), start(60)];
      await take(short, 'k', 2);
      await take(long, 'k', 2);
      short.intercept = never;
      long.intercept = never;
      await pass(2_000);
      const other = start(60);
      expect(await other.semaphore.getActiveCount('k')).toBe(1);
      await take(other, 'k', 2);
      await pass(57_999);
      expect(await other.semaphore.getActiveCount('k')).toBe(2);
    });

    test('a shorter lease on the key does not cut a longer one', async () => {
      const [long, short, other] = [start(60), start(2), start(60)];
      await take(long, 'k', 2);
      await take(short, 'k', 2);
      long.intercept = never;
      short.intercept = never;
      await pass(20_000);
      expect(await other.semaphore.getActiveCount('k')).toBe(1);
    });

    test('[SEM-20] forceReset frees every slot of exactly this key', async () => {
      const [a, b] = [start(6), start(6)];
      const tickets = [await take(a, 'user*', 2), await take(b, 'user*', 2)];
      const stranger = await take(a, 'userB', 1);
      await b.semaphore.forceReset('user*');
      expect(await a.semaphore.getActiveCount('user*')).toBe(0);
      expect(await a.semaphore.getActiveCount('userB')).toBe(1);
      await take(a, 'user*', 1);
      await pass(2_100);
      expect(tickets.map(({ signal }) => (signal.reason as Error).name)).toEqual([
        'LeaseLostError',
        'LeaseLostError',
      ]);
      expect(await tickets[0]!.release()).toBe(false);
      expect(stranger.signal.aborted).toBe(false);
      expect(await a.semaphore.getActiveCount('user*')).toBe(1);
    });

    test('forceReset serves those who wait', async () => {
      const [a, b] = [start(), start()];
      await take(a, 'k', 2);
      await take(a, 'k', 2);
      const waiting = [1, 2].map(() => track(b.semaphore.acquire('k', 2, Infinity, 'x')));
      await pass(10);
      await a.semaphore.forceReset('k');
      await pass(50);
      expect(waiting.map(({ value }) => value === undefined)).toEqual([false, false]);
    });

    test('[SEM-19] getActiveCount and inspect look, and change nothing', async () => {
      const a = start();
      expect(await a.semaphore.getActiveCount('k')).toBe(0);
      expect(await a.semaphore.inspect('k')).toEqual({ holders: [], queueLength: 0 });
      const ticket = await take(a, 'k', 3);
      const before = memory().size;
      expect(await a.semaphore.getActiveCount('k')).toBe(1);
      const { holders } = await a.semaphore.inspect('k');
      expect(holders.map(({ ticketId }) => ticketId)).toEqual([ticket.id]);
      expect(memory().size).toBe(before);
    });

    test('await using gives the slot back', async () => {
      const a = start();
      {
        await using ticket = await a.semaphore.acquire('k', 1, 0, 'x');
        expect(ticket).not.toBeNull();
        expect(await a.semaphore.getActiveCount('k')).toBe(1);
      }
      expect(await a.semaphore.getActiveCount('k')).toBe(0);
    });

    test('destroy rejects who waits and who comes later, and tickets can still be released', async () => {
      const a = start(3);
      const ticket = await take(a, 'k', 1);
      const waiting = track(a.semaphore.acquire('k', 1, Infinity, 'x'));
      await pass(10);
      await a.semaphore.destroy();
      await pass();
      expect(waiting.error).toBeInstanceOf(GuardStorageUnavailableError);
      await expect(a.semaphore.acquire('k', 1, 0, 'x')).rejects.toThrow(
        'The semaphore was destroyed',
      );
      await expect(a.semaphore.tryAcquire('k', 1)).rejects.toThrow(GuardStorageUnavailableError);
      expect(a.subscriptions()).toBe(0);
      expect(await ticket.release()).toBe(true);
      expect(await keysOf('k')).toEqual([]);
      await a.semaphore.destroy();
    });

    test('after destroy nothing is renewed, and the signal of a held ticket aborts when its lease ends', async () => {
      const [a, b] = [start(3), start(3)];
      const ticket = await take(a, 'k', 1);
      const { signal } = ticket;
      await a.semaphore.destroy();
      const calls = a.calls.length;
      await pass(2_999);
      expect(signal.aborted).toBe(false);
      await pass(1);
      expect(signal.reason).toBeInstanceOf(LeaseLostError);
      expect(a.calls).toHaveLength(calls);
      await take(b, 'k', 1);
      expect(await ticket.release()).toBe(false);
    });

    test('a renewal under way while the semaphore is destroyed still counts', async () => {
      const a = start(3);
      const { signal } = await take(a, 'k', 1);
      a.intercept = (_call, run) => new Promise((resolve) => setTimeout(resolve, 200)).then(run);
      await pass(1_100);
      await a.semaphore.destroy();
      await pass(2_800);
      expect(signal.aborted).toBe(false);
      await pass(100);
      expect(signal.aborted).toBe(true);
    });

    test('S-24: many keys leave nothing behind', async () => {
      const a = start();
      for (let index = 0; index < 1_000; index++) {
        await (await take(a, `k${String(index)}`, 1)).release();
      }
      expect((await memory().keys('*')).filter((name) => !name.endsWith(':extent'))).toEqual([]);
      await pass(1_000_000);
      expect(await memory().keys('*')).toEqual([]);
    });

    test('S-31: however many wait for a key, there is one subscription, and none when nobody does', async () => {
      const a = start();
      const ticket = await take(a, 'k', 1);
      const waiting = Array.from({ length: 1_000 }, () =>
        track(a.semaphore.acquire('k', 1, 5_000, 'x')),
      );
      await pass(10);
      expect(a.subscriptions()).toBe(1);
      expect(a.calls.filter((call) => call === 'subscribe')).toHaveLength(1);
      await pass(6_000);
      expect(waiting.every(({ isSettled }) => isSettled)).toBe(true);
      expect(a.subscriptions()).toBe(0);
      await ticket.release();
    });

    test('no ticket makes an AbortController unless its signal is read', async () => {
      const made = jest.spyOn(globalThis, 'AbortController');
      const a = start();
      const ticket = await take(a, 'k', 1);
      await ticket.release();
      expect(made).not.toHaveBeenCalled();
      made.mockRestore();
      expect(ticket.signal.aborted).toBe(false);
    });

    test.each([
      [0, 'maxConcurrent must be a positive integer, got 0'],
      [-1, 'got -1'],
      [1.5, 'got 1.5'],
      [NaN, 'got NaN'],
      [Infinity, 'got Infinity'],
    ])('refuses maxConcurrent %p before anything is asked', async (max, message) => {
      const a = start();
      await expect(a.semaphore.acquire('k', max, 0, 'x')).rejects.toThrow(RangeError);
      await expect(a.semaphore.tryAcquire('k', max)).rejects.toThrow(message);
      expect(a.calls).toEqual([]);
    });

    test.each([
      [{ a: 1 }, 'got object'],
      [7, 'got number'],
      [undefined, 'got undefined'],
      ['a\uD83Cb', 'has a lone surrogate'],
    ])(
      'refuses the key %p, also on storage that takes anything for a key',
      async (key, message) => {
        const a = start();
        const { semaphore } = a;
        const calls: (() => Promise<unknown>)[] = [
          () => semaphore.acquire(key as never, 1, 0, 'x'),
          () => semaphore.acquire(key as never, 1, 1_000, 'x'),
          () => semaphore.tryAcquire(key as never, 1),
          () => semaphore.getActiveCount(key as never),
          () => semaphore.inspect(key as never),
          () => semaphore.forceReset(key as never),
          ...(kind !== 'plain' ? [async () => semaphore.planAcquire(key as never, 1)] : []),
        ];
        for (const call of calls) {
          await expect(call()).rejects.toThrow(TypeError);
          await expect(call()).rejects.toThrow(message);
        }
        await pass();
        expect(await memory().keys('*')).toEqual([]);
        expect(a.reports).toEqual([]);
        if (typeof key !== 'string') expect(a.calls).toEqual([]);
      },
    );

    test.each([-1, NaN, -Infinity])('refuses queueTimeoutMs %p', async (queueTimeoutMs) => {
      const a = start();
      await expect(a.semaphore.acquire('k', 1, queueTimeoutMs, 'x')).rejects.toThrow(RangeError);
      await expect(a.semaphore.tryAcquire('k', 1, { queueTimeoutMs })).rejects.toThrow(
        `queueTimeoutMs must not be negative, got ${String(queueTimeoutMs)}`,
      );
      await expect(a.semaphore.acquire('k', 1, '5' as never, 'x')).rejects.toThrow(TypeError);
      expect(a.calls).toEqual([]);
    });

    test.each([-1, NaN, 1.5])('refuses maxQueue %p', async (maxQueue) => {
      const a = start();
      await expect(a.semaphore.acquire('k', 1, 0, 'x', { maxQueue })).rejects.toThrow(
        `maxQueue must be a non-negative integer, got ${String(maxQueue)}`,
      );
      expect(a.calls).toEqual([]);
    });

    test.each([0, -1, NaN, Infinity])('refuses ticketTtlSeconds %p', (ttl) => {
      expect(() => start(ttl)).toThrow(
        `ticketTtlSeconds must be positive and finite, got ${String(ttl)}`,
      );
    });

    test('a fraction of a millisecond is a wait', async () => {
      const a = start();
      await take(a, 'k', 1);
      const waiting = track(a.semaphore.acquire('k', 1, 0.5, 'x'));
      await pass(5);
      expect(waiting.error).toBeInstanceOf(QueueTimeoutError);
    });
  },
);
