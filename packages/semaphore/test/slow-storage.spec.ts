import { GuardStorageUnavailableError } from '@frontmcp/guard-core';

import { QueueTimeoutError } from '../src/index.js';
import { never, pass, processes, take, track } from './support.js';

describe.each(['atomic', 'plain'] as const)(
  'DistributedSemaphore on %s storage that fails or is slow',
  (kind) => {
    const { memory, start } = processes(kind);

    /** What of the key is left in the store. */
    const keysOf = async (key: string) =>
      (await memory().keys('*')).filter(
        (name) => name.startsWith(key) && !name.endsWith(':extent'),
      );

    test('S-6: a ticket that expires while it is released gives one slot back', async () => {
      const [slow, other] = [start(3), start(3)];
      const ticket = await take(slow, 'k', 1);
      slow.intercept = never;
      await pass(2_999);
      slow.intercept = (_call, run) => new Promise((resolve) => setTimeout(resolve, 5)).then(run);
      const releasing = track(ticket.release());
      await pass(2);
      await take(other, 'k', 1);
      await pass(10);
      expect(releasing.value).toBe(false);
      expect(await other.semaphore.acquire('k', 1, 0, 'x')).toBeNull();
    });

    test('no listener stays on a long-lived signal', async () => {
      const a = start();
      const { signal } = new AbortController();
      const listeners = { added: 0, removed: 0 };
      const add = jest.spyOn(signal, 'addEventListener');
      const remove = jest.spyOn(signal, 'removeEventListener');
      const ticket = await a.semaphore.acquire('k', 1, 0, 'x', { signal });
      expect(await a.semaphore.acquire('k', 1, 0, 'x', { signal })).toBeNull();
      const waiting = track(a.semaphore.acquire('k', 1, 10, 'x', { signal }));
      await pass(20);
      expect(waiting.isSettled).toBe(true);
      listeners.added = add.mock.calls.length;
      listeners.removed = remove.mock.calls.length;
      expect(listeners).toEqual({ added: 3, removed: 3 });
      await ticket?.release();
    });

    test('S-45: a storage that never answers does not hold a caller beyond its wait', async () => {
      const a = start();
      a.intercept = never;
      const waiting = track(a.semaphore.acquire('k', 1, 400, 'x'));
      const short = track(a.semaphore.acquire('k', 1, 20, 'x'));
      await pass(21);
      expect(short.error).toBeInstanceOf(QueueTimeoutError);
      await pass(440);
      expect(waiting.error).toBeInstanceOf(QueueTimeoutError);
    });

    test('S-45: a storage that fails rejects the call with its error', async () => {
      const a = start();
      a.intercept = () => Promise.reject(new GuardStorageUnavailableError('down'));
      await expect(a.semaphore.acquire('k', 1, 0, 'x')).rejects.toThrow('down');
      await expect(a.semaphore.acquire('k', 1, 5_000, 'x')).rejects.toThrow('down');
    });

    test('S-13: a call that fails after it took effect gives the slot back', async () => {
      const a = start();
      const claims = kind !== 'plain' ? ['semaphore.acquire'] : ['set', 'compareAndExpire'];
      a.intercept = async (call, run) => {
        const result = await run();
        if (claims.includes(call)) throw new Error('the reply got lost');
        return result;
      };
      await expect(a.semaphore.acquire('k', 1, 0, 'x')).rejects.toThrow('the reply got lost');
      await expect(a.semaphore.acquire('k', 1, 100, 'x')).rejects.toThrow('the reply got lost');
      a.calm();
      await pass();
      expect(await keysOf('k')).toEqual([]);
    });

    /** Loses the reply of the next call that may take a slot, after it took effect. */
    const loseOneReply = (process: ReturnType<typeof start>, then?: () => Promise<never>): void => {
      const claim = kind !== 'plain' ? 'semaphore.acquire' : 'set';
      process.intercept = async (call, run) => {
        const result = await run();
        if (call !== claim || (kind === 'plain' && (await keysOf('k')).length === 0)) return result;
        process.calm();
        if (then !== undefined) process.intercept = then;
        throw new Error('the reply got lost');
      };
    };

    test('a lost reply to who would wait is healed by asking again, and takes one slot', async () => {
      const a = start();
      loseOneReply(a);
      const ticket = await a.semaphore.acquire('k', 2, 1_000, 'x');
      expect(a.reports.map(({ error }) => error)).toEqual([new Error('the reply got lost')]);
      await pass(10_000);
      expect(ticket?.signal.aborted).toBe(false);
      expect(await a.semaphore.getActiveCount('k')).toBe(1);
      expect(await ticket?.release()).toBe(true);
      expect(await keysOf('k')).toEqual([]);
    });

    test('a call that fails twice rejects, whatever is left of its wait, and not after it', async () => {
      const a = start();
      const first = kind !== 'plain' ? 'semaphore.acquire' : 'mget';
      a.intercept = (call, run) => (call === first ? Promise.reject(new Error('down')) : run());
      await expect(a.semaphore.acquire('k', 1, 60_000, 'x')).rejects.toThrow('down');
      expect(a.calls.filter((call) => call === first)).toHaveLength(2);
      expect(a.reports).toHaveLength(1);
      a.intercept = async (call, run) => {
        if (call !== first) return run();
        await new Promise((resolve) => setTimeout(resolve, 60));
        throw new Error('down');
      };
      await pass(1_000);
      a.calls.splice(0);
      const late = track(a.semaphore.acquire('k', 1, 50, 'x'));
      await pass(200);
      expect(late.error).toBeInstanceOf(QueueTimeoutError);
      expect(a.calls.filter((call) => call === first)).toHaveLength(1);
    });

    test('a call that fails twice gives back what the first took, though the second was not sent', async () => {
      const a = start();
      const fail = () =>
        Promise.reject(new GuardStorageUnavailableError('not sent', { wasSent: false }));
      loseOneReply(a, fail);
      await expect(a.semaphore.acquire('k', 2, 1_000, 'x')).rejects.toThrow('not sent');
      expect(await keysOf('k')).not.toEqual([]);
      a.calm();
      await pass(200);
      expect(await keysOf('k')).toEqual([]);
    });

    test('S-13: a claim that lands after its withdrawal is withdrawn once more', async () => {
      const a = start();
      const claim = kind !== 'plain' ? 'semaphore.acquire' : 'set';
      const late: (() => Promise<unknown>)[] = [];
      await (await take(a, 'k', 1)).release();
      a.intercept = (call, run) => {
        if (call !== claim) return run();
        late.push(run);
        return Promise.reject(new Error('no answer'));
      };
      await expect(a.semaphore.acquire('k', 1, 0, 'x')).rejects.toThrow('no answer');
      await pass(500);
      a.calm();
      for (const run of late) await run();
      expect(await a.semaphore.getActiveCount('k')).toBe(1);
      await pass(1_400);
      expect(await a.semaphore.getActiveCount('k')).toBe(1);
      await pass(200);
      expect(await a.semaphore.getActiveCount('k')).toBe(0);
      a.calls.splice(0);
      await pass(60_000);
      expect(a.calls).toEqual([]);
    });

    test('a withdrawal that found its ticket is not repeated, nor is one that cannot outlive the lease', async () => {
      const [a, short] = [start(), start(1)];
      const undo = kind !== 'plain' ? 'semaphore.cancel' : 'compareAndDelete';
      loseOneReply(a, () => Promise.reject(new GuardStorageUnavailableError('down')));
      await expect(a.semaphore.acquire('k', 1, 100, 'x')).rejects.toThrow('down');
      a.calm();
      await pass(200);
      expect(await keysOf('k')).toEqual([]);
      a.calls.splice(0);
      await pass(60_000);
      expect(a.calls).toEqual([]);
      short.intercept = (call, run) =>
        call === undo ? run() : Promise.reject(new Error('no answer'));
      await expect(short.semaphore.acquire('k', 1, 0, 'x')).rejects.toThrow('no answer');
      await pass(60_000);
      expect(short.calls.filter((call) => call === undo)).toHaveLength(kind !== 'plain' ? 1 : 0);
    });

    test('a try that fails is not asked for again', async () => {
      const a = start();
      const { signal } = new AbortController();
      const first = kind !== 'plain' ? 'semaphore.acquire' : 'mget';
      a.intercept = (call, run) => (call === first ? Promise.reject(new Error('down')) : run());
      await expect(a.semaphore.acquire('k', 1, 0, 'x')).rejects.toThrow('down');
      await expect(a.semaphore.acquire('k', 1, 0, 'x', { signal })).rejects.toThrow('down');
      expect(a.calls.filter((call) => call === first)).toHaveLength(2);
      expect(a.reports).toEqual([]);
    });

    test.each([
      ['rejects', () => Promise.reject(new Error('down'))],
      [
        'throws',
        () => {
          throw new Error('down');
        },
      ],
    ])('S-15: a release that %s is tried again in the background and reported', async (_, fail) => {
      const a = start(3);
      const ticket = await take(a, 'k', 1);
      a.intercept = fail;
      expect(await ticket.release()).toBe(false);
      expect(a.reports).toHaveLength(1);
      expect(a.reports[0]?.what).toContain(ticket.id);
      await pass(250);
      a.calm();
      await pass(500);
      expect(await keysOf('k')).toEqual([]);
    });

    test('a slot that was taken while the semaphore was destroyed is given back', async () => {
      const a = start();
      a.intercept = (_call, run) => new Promise((resolve) => setTimeout(resolve, 5)).then(run);
      const once = track(a.semaphore.acquire('k', 2, 0, 'x'));
      const waiting = track(a.semaphore.acquire('k', 2, 1_000, 'x'));
      const destroying = track(a.semaphore.destroy());
      await pass(100);
      expect(destroying.isSettled).toBe(true);
      expect(once.error).toBeInstanceOf(GuardStorageUnavailableError);
      expect(waiting.error).toBeInstanceOf(GuardStorageUnavailableError);
      expect(await keysOf('k')).toEqual([]);
    });

    test('destroy resolves when nothing of those that waited, or asked, is left in the store', async () => {
      const [a, b] = [start(), start()];
      const ticket = await take(a, 'k', 1);
      const waiting = track(b.semaphore.acquire('k', 1, 10_000, 'x'));
      await pass(10);
      b.intercept = (_call, run) => new Promise((resolve) => setTimeout(resolve, 50)).then(run);
      const asking = [track(b.semaphore.acquire('k', 1, 10_000, 'x'))];
      asking.push(track(b.semaphore.acquire('other', 1, 0, 'x')));
      await pass();
      const destroying = track(b.semaphore.destroy());
      await pass();
      expect([waiting, asking[0]!].map(({ isSettled }) => isSettled)).toEqual([true, true]);
      while (!destroying.isSettled) await pass(1);
      expect(asking[1]!.error).toBeInstanceOf(GuardStorageUnavailableError);
      const { queueLength } = await a.semaphore.inspect('k');
      expect([queueLength, await keysOf('other')]).toEqual([0, []]);
      expect(await ticket.release()).toBe(true);
      expect(await keysOf('k')).toEqual([]);
    });

    test('destroy resolves when what is being released is back in the store', async () => {
      const a = start();
      const tickets = [await take(a, 'k', 2), await take(a, 'k', 2)];
      a.intercept = (_call, run) => new Promise((resolve) => setTimeout(resolve, 50)).then(run);
      const releasing = tickets.map((ticket) => track(ticket.release()));
      const destroying = track(a.semaphore.destroy());
      await pass(49);
      expect(destroying.isSettled).toBe(false);
      while (!destroying.isSettled) await pass(1);
      expect(releasing.map(({ value }) => value)).toEqual([true, true]);
      expect(await keysOf('k')).toEqual([]);
    });

    test('destroy does not wait for a release that failed', async () => {
      const a = start();
      const ticket = await take(a, 'k', 1);
      a.intercept = () => Promise.reject(new Error('down'));
      expect(await ticket.release()).toBe(false);
      const destroying = track(a.semaphore.destroy());
      await pass();
      expect(destroying.isSettled).toBe(true);
    });

    test('destroy waits two seconds for a store that does not answer', async () => {
      const a = start();
      a.intercept = never;
      const asking = track(a.semaphore.acquire('k', 1, 0, 'x'));
      const destroying = [track(a.semaphore.destroy()), track(a.semaphore.destroy())];
      await pass(1_999);
      expect(destroying.map(({ isSettled }) => isSettled)).toEqual([false, false]);
      await pass(1);
      expect(destroying.map(({ isSettled }) => isSettled)).toEqual([true, true]);
      expect(asking.isSettled).toBe(false);
    });

    test('S-50: a logger and a listener that throw disturb nothing', async () => {
      const complain = () => {
        throw new Error('the listener is broken');
      };
      const a = start(3, { onError: complain, logger: { info: complain, warn: complain } });
      const ticket = await take(a, 'k', 1);
      a.intercept = () => Promise.reject(new Error('down'));
      await pass(2_000);
      expect(await ticket.release()).toBe(false);
    });
  },
);
