import { LeaseLostError, QueueTimeoutError, type SemaphoreTicket } from '../src/index.js';
import { never, pass, processes, track, type TestProcess } from './support.js';

// What only storage with atomic operations and publish/subscribe gives: one queue for all processes.

const { memory, start } = processes('atomic');

async function take(process: TestProcess, key = 'k', max = 1): Promise<SemaphoreTicket> {
  const ticket = await process.semaphore.acquire(key, max, 0, 'x');
  if (ticket === null) throw new Error('No slot');
  return ticket;
}

const wait = (process: TestProcess, max = 1, timeoutMs = Infinity) =>
  track(process.semaphore.acquire('k', max, timeoutMs, 'x'));

const count = (process: TestProcess, call: string) =>
  process.calls.filter((name) => name === call).length;

test('[SEM-12] waiters of all processes are served in order of arrival', async () => {
  const all = [start(), start(), start()];
  const ticket = await take(all[0]!);
  const order: number[] = [];
  const served = Array.from({ length: 30 }, async (_, index) => {
    const mine = await all[(index * 7) % 3]!.semaphore.acquire('k', 1, Infinity, 'x');
    order.push(index);
    await mine?.release();
  });
  await pass();
  await ticket.release();
  await pass();
  await Promise.all(served);
  expect(order).toEqual(Array.from({ length: 30 }, (_, index) => index));
});

test.each([1, 10, 100])('a cycle takes two commands under contention at max %p', async (max) => {
  const processesOfTest = [start(), start()];
  const held = await Promise.all(
    Array.from({ length: max }, () => take(processesOfTest[0]!, 'k', max)),
  );
  const served = Array.from({ length: 300 }, async (_, index) => {
    const ticket = await processesOfTest[index % 2]!.semaphore.acquire('k', max, Infinity, 'x');
    await new Promise((resolve) => setTimeout(resolve, 1));
    await ticket?.release();
  });
  await pass();
  for (const { calls } of processesOfTest) calls.splice(0);
  await Promise.all(held.map((ticket) => ticket.release()));
  await pass(310);
  await Promise.all(served);
  const steps = processesOfTest.flatMap(({ calls }) =>
    calls.filter((call) => call.startsWith('semaphore.') && call !== 'semaphore.poll'),
  );
  expect(steps).toEqual(Array.from({ length: 300 + max }, () => 'semaphore.release'));
});

test('a hand-over still held 300 ms later is confirmed, all of a key by one renewal', async () => {
  const [a, b] = [start(), start()];
  const held = [await take(a, 'k', 2), await take(a, 'k', 2)];
  const waiting = [wait(b, 2), wait(b, 2)];
  await pass();
  await Promise.all(held.map((ticket) => ticket.release()));
  await pass(290);
  expect(count(b, 'semaphore.renew')).toBe(0);
  expect((await b.semaphore.inspect('k')).holders.map((holder) => holder.remainingLeaseMs)).toEqual(
    [710, 710],
  );
  await pass(20);
  expect(count(b, 'semaphore.renew')).toBe(1);
  const [holder] = (await b.semaphore.inspect('k')).holders;
  expect(holder?.remainingLeaseMs).toBeGreaterThan(299_900);
  expect(holder?.ageMs).toBe(310);
  await pass(5_000);
  expect(waiting.map(({ value }) => value?.signal.aborted)).toEqual([false, false]);
});

test('hand-overs of about one time are confirmed by one renewal', async () => {
  const [a, b] = [start(), start()];
  const held = [await take(a, 'k', 3), await take(a, 'k', 3), await take(a, 'k', 3)];
  const waiting = [wait(b, 3), wait(b, 3), wait(b, 3)];
  await pass();
  for (const ticket of held) {
    await ticket.release();
    await pass(30);
  }
  expect(waiting.map(({ isSettled }) => isSettled)).toEqual([true, true, true]);
  await pass(600);
  expect([count(b, 'semaphore.renew'), b.lastBatch]).toEqual([1, 3]);
});

test('a hand-over that is released within 300 ms is not confirmed', async () => {
  const [a, b] = [start(), start()];
  const ticket = await take(a);
  const waiting = wait(b);
  await pass();
  await ticket.release();
  await pass(200);
  await waiting.value?.release();
  await pass(2_000);
  expect(count(b, 'semaphore.renew')).toBe(0);
  expect(await memory().keys('*')).toEqual([]);
});

test('a hand-over whose confirmation never comes through is lost after its second', async () => {
  const [a, b] = [start(), start()];
  const ticket = await take(a);
  const waiting = wait(b);
  await pass();
  await ticket.release();
  await pass();
  b.intercept = never;
  await pass(999);
  expect(waiting.value?.signal.aborted).toBe(false);
  await pass(2);
  expect(waiting.value?.signal.reason).toBeInstanceOf(LeaseLostError);
  await take(a);
});

test('a hand-over is confirmed in time though other tickets are not due for long', async () => {
  const [a, b] = [start(), start()];
  await take(b, 'other');
  const ticket = await take(a);
  const waiting = wait(b);
  await pass(5_000);
  await ticket.release();
  await pass(310);
  expect(count(b, 'semaphore.renew')).toBe(1);
  await pass(5_000);
  expect(waiting.value?.signal.aborted).toBe(false);
});

test('a hand-over that is heard of late is confirmed before it ends, or lost when it does', async () => {
  const [a, b] = [start(), start()];
  const late = (call: string, run: () => Promise<unknown>) =>
    call === 'message' ? new Promise((resolve) => setTimeout(resolve, 800)).then(run) : run();
  for (const answers of [true, false]) {
    b.intercept = late;
    const ticket = await take(a);
    await pass(1_000);
    const waiting = wait(b);
    await pass(100);
    await ticket.release();
    await pass(840);
    expect(waiting.value).toBeDefined();
    b.intercept = answers ? (_call, run) => run() : never;
    await pass(159);
    expect(waiting.value?.signal.aborted).toBe(false);
    await pass(10);
    expect(waiting.value?.signal.aborted).toBe(!answers);
    b.calm();
    await waiting.value?.release();
  }
});

test('a lease shorter than a second is also that of its hand-over', async () => {
  const [a, b] = [start(0.3), start(0.3)];
  const ticket = await take(a);
  const waiting = wait(b);
  await pass();
  await ticket.release();
  await pass();
  const [holder] = (await a.semaphore.inspect('k')).holders;
  expect(holder?.remainingLeaseMs).toBe(300);
  await pass(2_000);
  expect(waiting.value?.signal.aborted).toBe(false);
});

test('S-16: a newcomer does not overtake, and a slot is passed on, not counted twice', async () => {
  const [a, b] = [start(), start()];
  const held = [await take(a, 'k', 2), await take(a, 'k', 2)];
  const parked = wait(b, 2);
  await pass();
  const [released, newcomer] = await Promise.all([
    held[0]!.release(),
    a.semaphore.acquire('k', 2, 0, 'x'),
  ]);
  await pass();
  expect([released, newcomer]).toEqual([true, null]);
  expect(parked.value).toBeDefined();
  expect(await a.semaphore.getActiveCount('k')).toBe(2);
});

test('a newcomer does not overtake either when a lease has just ended', async () => {
  const [dead, a, b] = [start(5), start(5), start(5)];
  await take(dead);
  dead.intercept = never;
  const parked = wait(a);
  await pass(4_990);
  a.intercept = (call, run) => (call === 'semaphore.poll' ? never() : run());
  await pass(10);
  expect(await b.semaphore.acquire('k', 1, 0, 'x')).toBeNull();
  await pass();
  expect(parked.value).toBeDefined();
});

test('[SEM-08] S-41: a dead process at the head of the queue costs a second', async () => {
  const [a, dead, b] = [start(), start(), start()];
  const ticket = await take(a);
  wait(dead);
  await pass();
  const next = wait(b);
  await pass();
  dead.intercept = never;
  await ticket.release();
  await pass(990);
  expect(next.isSettled).toBe(false);
  await pass(30);
  expect(next.value).toBeDefined();
});

test('S-41: dead waiters whose wait is over are passed over at once', async () => {
  const [a, dead, b] = [start(), start(), start()];
  const ticket = await take(a);
  for (let index = 0; index < 5; index++) wait(dead, 1, 400);
  await pass();
  dead.intercept = (call, run) => (call === 'unsubscribe' ? run() : never());
  const next = wait(b);
  await pass(500);
  expect((await a.semaphore.inspect('k')).queueLength).toBe(6);
  await ticket.release();
  await pass();
  expect(next.value).toBeDefined();
  expect((await a.semaphore.inspect('k')).queueLength).toBe(0);
});

test('a waiter whose message got lost is served within a second, and once', async () => {
  const [a, b] = [start(), start()];
  const ticket = await take(a);
  b.intercept = (call, run) => (call === 'message' ? Promise.resolve() : run());
  const waiting = wait(b);
  await pass(100);
  await ticket.release();
  await pass(1_000);
  expect(waiting.value).toBeDefined();
  await pass(10_000);
  expect(waiting.value?.signal.aborted).toBe(false);
  expect(await a.semaphore.getActiveCount('k')).toBe(1);
});

test('S-32: polls that fail are tried again', async () => {
  const [a, b] = [start(), start()];
  const ticket = await take(a);
  b.intercept = (call, run) => {
    if (call === 'message') return Promise.resolve();
    return call === 'semaphore.poll' ? Promise.reject(new Error('down')) : run();
  };
  const waiting = wait(b);
  await pass(1_500);
  await ticket.release();
  await pass(1_000);
  b.intercept = (call, run) => (call === 'message' ? Promise.resolve() : run());
  expect(waiting.isSettled).toBe(false);
  await pass(1_000);
  expect(waiting.value).toBeDefined();
});

test('a hand-over that is heard of after its lease is not believed', async () => {
  const [a, b, c] = [start(), start(), start()];
  const ticket = await take(a);
  b.intercept = (call, run) => {
    if (call === 'semaphore.poll') return never();
    if (call !== 'message') return run();
    return new Promise((resolve) => setTimeout(resolve, 1_500)).then(run);
  };
  const late = wait(b);
  await pass();
  await ticket.release();
  await pass(1_100);
  await take(c);
  await pass(1_000);
  expect(late.isSettled).toBe(false);
});

test('a hand-over that is heard of before the reply that one waits is found at once', async () => {
  const [a, b] = [start(), start()];
  const ticket = await take(a);
  // The subscription is open and stays so: the message can overtake the reply, and opening it asks for nobody.
  await take(a, 'other');
  track(b.semaphore.acquire('other', 1, Infinity, 'x'));
  await pass();
  b.intercept = async (call, run) => {
    const result = await run();
    if (call === 'semaphore.acquire') await new Promise((resolve) => setTimeout(resolve, 50));
    return result;
  };
  const waiting = wait(b);
  await pass();
  await ticket.release();
  await pass(40);
  expect(waiting.isSettled).toBe(false);
  await pass(20);
  expect(waiting.value).toBeDefined();
});

test('S-29: a release between the first try and the subscription wakes the waiter', async () => {
  const [a, b] = [start(), start()];
  const ticket = await take(a);
  b.intercept = async (call, run) => {
    if (call === 'subscribe') await new Promise((resolve) => setTimeout(resolve, 200));
    return run();
  };
  const waiting = wait(b);
  await pass(100);
  await ticket.release();
  await pass(99);
  expect(waiting.isSettled).toBe(false);
  await pass(2);
  expect(waiting.value).toBeDefined();
});

test('a waiter says whether its process listens already, and a try that it does not', async () => {
  const [a, b] = [start(), start()];
  const isListening = () => b.lastArgs.get('semaphore.acquire');
  b.intercept = async (call, run) => {
    const result = await run();
    if (call === 'subscribe') await new Promise((resolve) => setTimeout(resolve, 50));
    return result;
  };
  const ticket = await take(a);
  const first = wait(b);
  await pass(40);
  wait(b);
  await pass();
  expect(isListening()).toMatchObject({ isListening: false });
  await pass(20);
  // Those that had come before are made up for by one call.
  expect(b.lastArgs.get('semaphore.poll')).toMatchObject({ isListening: true });
  expect([count(b, 'semaphore.poll'), b.lastBatch]).toEqual([1, 2]);
  wait(b);
  await pass();
  expect(isListening()).toMatchObject({ isListening: true });
  await b.semaphore.acquire('k', 1, 0, 'x');
  expect(isListening()).toMatchObject({ isListening: false });
  await ticket.release();
  await pass();
  expect(first.value).toBeDefined();
});

test('the subscription lasts as long as a call is under way that says that there is one', async () => {
  const [a, b] = [start(), start()];
  const ticket = await take(a);
  const first = wait(b);
  await pass();
  b.intercept = async (call, run) => {
    const result = await run();
    if (call === 'semaphore.acquire') await new Promise((resolve) => setTimeout(resolve, 50));
    return result;
  };
  const second = wait(b);
  await ticket.release();
  await pass(10);
  expect(first.value).toBeDefined();
  expect(b.lastArgs.get('semaphore.acquire')).toMatchObject({ isListening: true });
  expect(b.subscriptions()).toBe(1);
  await pass(60);
  await first.value?.release();
  await pass();
  await second.value?.release();
  await pass();
  expect(second.value).toBeDefined();
  expect([count(b, 'subscribe'), b.subscriptions()]).toEqual([1, 0]);
});

test('S-32: a subscription that fails is reported, tried again, and not needed for the slot', async () => {
  const [a, b] = [start(), start()];
  const ticket = await take(a);
  b.intercept = (call, run) =>
    call === 'subscribe' ? Promise.reject(new Error('no subscriber')) : run();
  const first = wait(b);
  await pass(2_500);
  expect(count(b, 'subscribe')).toBeGreaterThan(1);
  expect(b.reports[0]?.what).toContain('Cannot follow the channel');
  await ticket.release();
  await pass(1_000);
  expect(first.value).toBeDefined();
  b.calm();
  const second = wait(b);
  await pass(1_100);
  expect(b.subscriptions()).toBe(1);
  await first.value?.release();
  await pass();
  expect(second.value).toBeDefined();
});

test('waiters whose place got lost queue again', async () => {
  const [a, b] = [start(), start()];
  await take(a);
  const waiting = [wait(b), wait(b)];
  await pass();
  await memory().delete('k:sem');
  const stranger = await take(a);
  await pass(1_100);
  expect((await a.semaphore.inspect('k')).queueLength).toBe(2);
  await stranger.release();
  await pass();
  expect(waiting.map(({ isSettled }) => isSettled)).toEqual([true, false]);
  await waiting[0]?.value?.release();
  await pass();
  expect(waiting[1]?.value).toBeDefined();
});

test('S-32: a waiter that is passed over twice though it listens is not taken for dead a third time', async () => {
  const [a, b] = [start(), start()];
  await take(a);
  const waiting = wait(b);
  for (const isListening of [true, false, false]) {
    await pass(10);
    await memory().delete('k:sem');
    await take(a);
    await pass(1_010);
    expect(b.lastArgs.get('semaphore.acquire')).toMatchObject({ isListening });
    await pass(1_000);
    expect(b.lastArgs.get('semaphore.poll')).toMatchObject({ isListening: false });
  }
  expect(waiting.isSettled).toBe(false);
});

test('a waiter that would queue again after its deadline waited in vain: it is not told that it never waited', async () => {
  const [a, b] = [start(), start()];
  await take(a);
  const waiting = wait(b, 1, 2_000);
  const trying = track(b.semaphore.tryAcquire('k', 1, { queueTimeoutMs: 2_000 }));
  await pass(990);
  await memory().delete('k:sem');
  await take(a);
  // The event loop was blocked: the deadlines have passed, and their timers have not fired yet.
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 5_000);
  await pass(20);
  clock.mockRestore();
  expect(waiting.error).toBeInstanceOf(QueueTimeoutError);
  expect(trying.value).toEqual({ acquired: false, reason: 'timeout' });
});

test('a second entry of a ticket that was asked for twice does not stay', async () => {
  const [a, b] = [start(), start()];
  const ticket = await take(a);
  const waiting = wait(b);
  await pass();
  await memory().delete('k:sem');
  let late: (() => void) | undefined;
  b.intercept = (call, run) => {
    if (call !== 'semaphore.acquire' || late !== undefined) return run();
    return new Promise((resolve, reject) => {
      late = () => void run().then(resolve, reject);
    });
  };
  await pass(1_000);
  expect(late).toBeDefined();
  await pass(1_000);
  expect(waiting.value).toBeDefined();
  await waiting.value?.release();
  late?.();
  await pass();
  expect(await memory().keys('*')).toEqual([]);
  expect(await ticket.release()).toBe(false);
});

test('an abort that crosses a hand-over passes the slot on', async () => {
  const [a, b, c] = [start(), start(), start()];
  const ticket = await take(a);
  const controller = new AbortController();
  const first = track(b.semaphore.acquire('k', 1, Infinity, 'x', { signal: controller.signal }));
  await pass();
  const second = wait(c);
  await pass();
  b.intercept = (call, run) => (call === 'message' ? Promise.resolve() : run());
  await ticket.release();
  controller.abort('enough');
  await pass();
  expect(first.error).toBe('enough');
  expect(second.value).toBeDefined();
});

test('waiters with limits of their own: who may not enter yet keeps those behind waiting', async () => {
  const [a, b] = [start(), start()];
  const held = [await take(a, 'k', 3), await take(a, 'k', 3), await take(a, 'k', 3)];
  const strict = wait(b, 1);
  await pass();
  const easy = wait(b, 3);
  await pass();
  await held[0]!.release();
  await held[1]!.release();
  await pass();
  expect([strict.isSettled, easy.isSettled]).toEqual([false, false]);
  await held[2]!.release();
  await pass();
  expect([strict.isSettled, easy.isSettled]).toEqual([true, true]);
});

test('a poll asks for the first of a long queue only, and for all that were served in turn', async () => {
  const [a, b] = [start(), start()];
  const held = await Promise.all(Array.from({ length: 150 }, () => take(a, 'k', 150)));
  b.intercept = (call, run) => (call === 'message' ? Promise.resolve() : run());
  const waiting = Array.from({ length: 150 }, () => wait(b, 150));
  await pass(10);
  // The first of them says of all that the process listens.
  expect(b.lastBatch).toBe(150);
  await pass(1_000);
  expect(b.lastBatch).toBe(64);
  await Promise.all(held.map((ticket) => ticket.release()));
  await pass(1_010);
  expect(waiting.filter(({ value }) => value !== undefined)).toHaveLength(150);
  expect(count(b, 'semaphore.poll')).toBe(5);
});

test('all tickets of a key are renewed by one call', async () => {
  const a = start(30);
  await Promise.all(Array.from({ length: 100 }, () => take(a, 'k', 100)));
  await take(a, 'other');
  await pass(10_500);
  expect(count(a, 'semaphore.renew')).toBe(2);
});

test('without publish/subscribe the store keeps no queue: the first of the process asks', async () => {
  const [a, b] = [start(), start()];
  for (const { storage } of [a, b]) storage.supportsPubSub = () => false;
  const ticket = await take(a);
  const order: string[] = [];
  const enter = async (process: TestProcess, name: string) => {
    const mine = await process.semaphore.acquire('k', 1, 60_000, 'x');
    order.push(name);
    await mine?.release();
  };
  const served = [enter(a, 'a1'), enter(a, 'a2'), enter(b, 'b1')];
  await pass();
  expect((await a.semaphore.inspect('k')).queueLength).toBe(0);
  expect(await a.semaphore.acquire('k', 1, 0, 'x')).toBeNull();
  await ticket.release();
  await pass(1_100);
  await Promise.all(served);
  expect(order.filter((name) => name.startsWith('a'))).toEqual(['a1', 'a2']);
  expect(order).toContain('b1');
  expect([count(a, 'subscribe'), count(a, 'publish')]).toEqual([0, 0]);
});

test('[SEM-11] without publish/subscribe the first asks after 100 ms at first, backing off to once a second', async () => {
  const [a, b] = [start(), start()];
  b.storage.supportsPubSub = () => false;
  await take(a);
  for (let index = 0; index < 10; index++) wait(b);
  await pass();
  const tries: number[] = [];
  const startedMs = Date.now();
  b.intercept = (call, run) => {
    if (call === 'semaphore.acquire') tries.push(Date.now() - startedMs);
    return run();
  };
  await pass(4_600);
  expect(tries).toEqual([100, 300, 700, 1500, 2500, 3500, 4500]);
});
