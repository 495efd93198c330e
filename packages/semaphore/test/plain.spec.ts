import { GuardStorageUnavailableError, GuardStorageUnsupportedError } from '@frontmcp/guard-core';
import { createMemoryStorage } from '@frontmcp/guard-storage-adapters';
import { plainOnly } from '@frontmcp/guard-storage-conformance';

import { DistributedSemaphore, QueueTimeoutError } from '../src/index.js';
import { never, pass, processes, track } from './support.js';

const { memory, start } = processes('plain');

test('[SEM-02] [SEM-03] each slot is a key of its own, claimed by a write-if-absent that carries the lease', async () => {
  const a = start(60);
  const tickets = [];
  for (let slot = 0; slot < 3; slot++) tickets.push(await a.semaphore.acquire('k', 3, 0, 'x'));
  const names = ['k:sem:0', 'k:sem:1', 'k:sem:2'];
  expect((await memory().keys('k:sem:?')).sort()).toEqual(names);
  expect((await memory().mget(names)).sort()).toEqual(tickets.map((ticket) => ticket?.id).sort());
  expect(await memory().ttl('k:sem:0')).toBe(60);
});

test('no key is without an expiry', async () => {
  const a = start(60);
  await a.semaphore.acquire('k', 3, 0, 'x');
  for (const name of await memory().keys('*')) {
    expect(await memory().ttl(name)).toBeGreaterThan(0);
  }
});

test('[SEM-15] storage without compare-and-delete and -expire cannot hold leases, and acquire says what is missing', async () => {
  const storage = plainOnly(createMemoryStorage(), { compare: false });
  const semaphore = new DistributedSemaphore(storage);
  const message = 'it has no compareAndDelete and compareAndExpire, and no execute';
  const refusals = [
    semaphore.acquire('k', 1, 0, 'x'),
    semaphore.acquire('k', 1, 1_000, 'x'),
    semaphore.tryAcquire('k', 1),
    semaphore.getActiveCount('k'),
    semaphore.inspect('k'),
    semaphore.forceReset('k'),
  ];
  for (const refusal of refusals) {
    await expect(refusal).rejects.toThrow(GuardStorageUnsupportedError);
    await expect(refusal).rejects.toThrow(message);
  }
  await semaphore.destroy();
});

test('storage that lacks one of the two says which', async () => {
  const storage = plainOnly(createMemoryStorage());
  delete storage.compareAndExpire;
  const semaphore = new DistributedSemaphore(storage);
  await expect(semaphore.acquire('k', 1, 0, 'x')).rejects.toThrow('it has no compareAndExpire,');
  await semaphore.destroy();
});

test('a free slot is found though most are taken, in three calls', async () => {
  const a = start();
  for (let slot = 0; slot < 99; slot++) await a.semaphore.acquire('k', 100, 0, 'x');
  const calls = a.calls.length;
  expect(await a.semaphore.acquire('k', 100, 0, 'x')).not.toBeNull();
  expect(a.calls.slice(calls)).toEqual(['mget', 'compareAndExpire', 'set']);
  expect(await a.semaphore.acquire('k', 100, 0, 'x')).toBeNull();
});

test('claims start anywhere, so that processes do not all want the same slot', async () => {
  const a = start();
  for (let index = 0; index < 50; index++)
    await a.semaphore.acquire(`k${String(index)}`, 10, 0, 'x');
  const names = await memory().keys('k*:sem:?');
  expect(new Set(names.map((name) => name.at(-1))).size).toBeGreaterThan(1);
});

test('a refusal takes one call, at any number of slots', async () => {
  const a = start();
  for (let slot = 0; slot < 100; slot++) await a.semaphore.acquire('k', 100, 0, 'x');
  const calls = a.calls.length;
  expect(await a.semaphore.acquire('k', 100, 0, 'x')).toBeNull();
  expect(a.calls.slice(calls)).toEqual(['mget']);
});

test('two processes that claim at once share no slot, and none is refused while one is free', async () => {
  const all = [start(), start(), start()];
  const outcomes = await Promise.all(
    Array.from({ length: 30 }, (_, index) => all[index % 3]!.semaphore.acquire('k', 20, 0, 'x')),
  );
  expect(outcomes.filter((ticket) => ticket !== null)).toHaveLength(20);
  expect(await memory().count('k:sem:*')).toBe(21);
});

test('[SEM-11] the first of the queue asks after 100 ms at first, backing off to once a second', async () => {
  const [a, b] = [start(), start()];
  b.storage.supportsPubSub = () => false;
  await a.semaphore.acquire('k', 1, 0, 'x');
  for (let index = 0; index < 10; index++) track(b.semaphore.acquire('k', 1, Infinity, 'x'));
  await pass();
  const tries: number[] = [];
  const startedMs = Date.now();
  b.intercept = (call, run) => {
    if (call === 'mget') tries.push(Date.now() - startedMs);
    return run();
  };
  await pass(3_600);
  expect(tries).toEqual([100, 300, 700, 1500, 2500, 3500]);
});

test('a release in the process wakes its next waiter also without publish/subscribe', async () => {
  const a = start();
  a.storage.supportsPubSub = () => false;
  const ticket = await a.semaphore.acquire('k', 1, 0, 'x');
  const waiting = track(a.semaphore.acquire('k', 1, Infinity, 'x'));
  await pass(3_600);
  await ticket?.release();
  await pass();
  expect(waiting.value).toBeDefined();
  expect(a.calls).not.toContain('publish');
});

test('without publish/subscribe a newcomer does not overtake who waits in its process', async () => {
  const [a, b] = [start(), start()];
  b.storage.supportsPubSub = () => false;
  const ticket = await a.semaphore.acquire('k', 1, 0, 'x');
  const waiting = track(b.semaphore.acquire('k', 1, Infinity, 'x'));
  await pass(3_600);
  await ticket?.release();
  expect(await b.semaphore.acquire('k', 1, 0, 'x')).toBeNull();
  const { signal } = new AbortController();
  expect(await b.semaphore.acquire('k', 1, 0, 'x', { signal })).toBeNull();
  await pass(1_000);
  expect(waiting.value).toBeDefined();
});

test('without publish/subscribe forceReset serves who waits in its process', async () => {
  const a = start();
  a.storage.supportsPubSub = () => false;
  await a.semaphore.acquire('k', 1, 0, 'x');
  const waiting = track(a.semaphore.acquire('k', 1, Infinity, 'x'));
  await pass(3_600);
  await a.semaphore.forceReset('k');
  await pass();
  expect(waiting.value).toBeDefined();
});

test('a try in vain after a release is followed by short pauses again', async () => {
  const [a, b] = [start(), start()];
  b.storage.supportsPubSub = () => false;
  const elsewhere = await a.semaphore.acquire('k', 2, 0, 'x');
  const here = await b.semaphore.acquire('k', 2, 0, 'x');
  const waiting = track(b.semaphore.acquire('k', 1, Infinity, 'x'));
  await pass(5_000);
  await here?.release();
  await pass(50);
  await elsewhere?.release();
  expect(waiting.isSettled).toBe(false);
  await pass(60);
  expect(waiting.value).toBeDefined();
});

test('who comes first is served first, also when its first call is the slower one', async () => {
  const a = start();
  let turn = 0;
  a.intercept = async (call, run) => {
    const result = await run();
    if (call === 'mget' && turn++ === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    return result;
  };
  const order: string[] = [];
  const enter = async (name: string) => {
    const ticket = await a.semaphore.acquire('k', 1, 1_000, 'x');
    order.push(name);
    await ticket?.release();
  };
  const served = [enter('first')];
  await pass(5);
  served.push(enter('second'));
  await pass(100);
  await Promise.all(served);
  expect(order).toEqual(['first', 'second']);
});

test('a call that hangs holds nobody up once its caller has given up', async () => {
  const a = start();
  a.intercept = (call, run) => {
    if (call !== 'mget') return run();
    a.calm();
    return never();
  };
  const hanging = track(a.semaphore.acquire('k', 1, 500, 'x'));
  const next = track(a.semaphore.acquire('k', 1, 5_000, 'x'));
  await pass(499);
  expect(next.isSettled).toBe(false);
  await pass(2);
  expect(hanging.error).toBeInstanceOf(QueueTimeoutError);
  expect(next.value).toBeDefined();
});

test('those who give up in one tick have nobody of them asked for', async () => {
  const a = start();
  await a.semaphore.acquire('k', 1, 0, 'x');
  const controller = new AbortController();
  const { signal } = controller;
  const waiting = Array.from({ length: 100 }, () =>
    track(a.semaphore.acquire('k', 1, Infinity, 'x', { signal })),
  );
  const last = track(a.semaphore.acquire('k', 1, Infinity, 'x'));
  await pass();
  a.calls.splice(0);
  controller.abort('enough');
  await pass();
  expect(waiting.every(({ error }) => error === 'enough')).toBe(true);
  expect(last.isSettled).toBe(false);
  expect(a.calls).toEqual(['mget']);
});

test('a claim under way while the semaphore is destroyed goes back, also after one that failed', async () => {
  const a = start();
  const ticket = await a.semaphore.acquire('k', 1, 0, 'x');
  const waiting = track(a.semaphore.acquire('k', 1, Infinity, 'x'));
  await pass();
  let claims = 0;
  a.intercept = async (call, run) => {
    if (call !== 'set') return run();
    if (claims++ === 0) throw new Error('down');
    await new Promise((resolve) => setTimeout(resolve, 50));
    return run();
  };
  await ticket?.release();
  await pass(20);
  expect(claims).toBe(2);
  const destroying = track(a.semaphore.destroy());
  await pass(100);
  expect(waiting.error).toBeInstanceOf(GuardStorageUnavailableError);
  expect(destroying.isSettled).toBe(true);
  expect(await memory().keys('k:sem:*')).toEqual(['k:sem:extent']);
});

test('no subscription is opened for who finds a free slot', async () => {
  const a = start();
  const calls = Array.from({ length: 5 }, () => track(a.semaphore.acquire('k', 5, 1_000, 'x')));
  await pass();
  expect(calls.every(({ value }) => value !== undefined)).toBe(true);
  expect(a.calls).not.toContain('subscribe');
});

test('when the first call of the first fails, those behind it ask for themselves', async () => {
  const a = start();
  let fails = 2;
  a.intercept = (call, run) =>
    call === 'mget' && fails-- > 0 ? Promise.reject(new Error('down')) : run();
  const calls = [1, 2, 3].map(() => track(a.semaphore.acquire('k', 2, 1_000, 'x')));
  await pass();
  expect(calls[0]?.error).toEqual(new Error('down'));
  expect(calls.slice(1).map(({ value }) => Boolean(value))).toEqual([true, true]);
});

test('a lost reply to who waits already is healed by its next call, and the slot stays', async () => {
  const a = start(60);
  const ticket = await a.semaphore.acquire('k', 1, 0, 'x');
  const waiting = track(a.semaphore.acquire('k', 1, Infinity, 'x'));
  await pass();
  let isLost = false;
  a.intercept = async (call, run) => {
    if (call === 'compareAndDelete' && isLost) throw new Error('down');
    const result = await run();
    if (call !== 'set' || isLost) return result;
    isLost = true;
    throw new Error('the reply got lost');
  };
  await ticket?.release();
  await pass(150);
  expect(isLost).toBe(true);
  a.calm();
  await pass(1_000);
  expect(waiting.value?.signal.aborted).toBe(false);
  expect(await a.semaphore.getActiveCount('k')).toBe(1);
  expect(await waiting.value?.release()).toBe(true);
});

test('what a lost reply stood for goes back when the wait ends first', async () => {
  const a = start(60);
  const ticket = await a.semaphore.acquire('k', 1, 0, 'x');
  const waiting = track(a.semaphore.acquire('k', 1, 2_000, 'x'));
  await pass();
  let isLost = false;
  a.intercept = async (call, run) => {
    if (isLost) throw new Error('down');
    const result = await run();
    if (call !== 'set') return result;
    isLost = true;
    throw new Error('the reply got lost');
  };
  await ticket?.release();
  await pass(1_999);
  expect(await memory().exists('k:sem:0')).toBe(true);
  await pass(1);
  expect(waiting.error).toEqual(new Error('down'));
  a.calm();
  await pass(200);
  expect(await memory().exists('k:sem:0')).toBe(false);
});

test('a release elsewhere wakes only the first of the process', async () => {
  const [a, b] = [start(), start()];
  const ticket = await a.semaphore.acquire('k', 1, 0, 'x');
  for (let index = 0; index < 10; index++) track(b.semaphore.acquire('k', 1, Infinity, 'x'));
  await pass();
  const calls = b.calls.length;
  await ticket?.release();
  await pass();
  // The first gets the slot, the second finds it taken.
  expect(b.calls.slice(calls).filter((call) => call === 'mget')).toHaveLength(2);
});

test('a message that cannot be published does not fail the release', async () => {
  const a = start();
  const ticket = await a.semaphore.acquire('k', 1, 0, 'x');
  a.intercept = (call, run) => (call === 'publish' ? Promise.reject(new Error('down')) : run());
  expect(await ticket?.release()).toBe(true);
});

test('the extent outlives the slots it counts, and goes when they are gone', async () => {
  const [small, large] = [start(60), start(60)];
  for (let slot = 0; slot < 5; slot++) await large.semaphore.acquire('k', 5, 0, 'x');
  await pass(1_000_000);
  expect(await small.semaphore.getActiveCount('k')).toBe(5);
  expect(await small.semaphore.acquire('k', 2, 0, 'x')).toBeNull();
  await large.semaphore.destroy();
  await pass(121_000);
  expect(await memory().keys('*')).toEqual([]);
});

test('the extent of a process that died lasts as long as its slots', async () => {
  const [dead, other] = [start(60), start(60)];
  dead.intercept = (_call, run) => new Promise((resolve) => setTimeout(resolve, 1_000)).then(run);
  const claim = track(dead.semaphore.acquire('k', 5, 0, 'x'));
  await pass(3_000);
  expect(claim.value).not.toBeNull();
  dead.intercept = never;
  await pass(59_500);
  expect(await other.semaphore.getActiveCount('k')).toBe(1);
  await pass(500);
  expect(await other.semaphore.getActiveCount('k')).toBe(0);
});

test('an extent that is not ours counts as none', async () => {
  const a = start();
  await memory().set('k:sem:extent', 'nonsense');
  expect(await a.semaphore.getActiveCount('k')).toBe(0);
  expect(await a.semaphore.acquire('k', 1, 0, 'x')).not.toBeNull();
  expect(await a.semaphore.getActiveCount('k')).toBe(1);
});

test('a smaller limit that comes at the same moment does not hide the slots of a larger one', async () => {
  const [small, large] = [start(), start()];
  let goOn: (() => void) | undefined;
  small.intercept = (call, run) => {
    if (call !== 'set' || goOn !== undefined) return run();
    return new Promise((resolve, reject) => {
      goOn = () => void run().then(resolve, reject);
    });
  };
  track(small.semaphore.acquire('k', 2, 0, 'x'));
  await pass();
  for (let slot = 0; slot < 8; slot++) await large.semaphore.acquire('k', 10, 0, 'x');
  goOn?.();
  await pass();
  const taken = (await memory().keys('k:sem:*')).length - 1;
  expect(taken).toBeGreaterThanOrEqual(8);
  expect(await small.semaphore.getActiveCount('k')).toBe(taken);
  await small.semaphore.forceReset('k');
  expect(await memory().keys('k:sem:*')).toEqual(['k:sem:extent']);
});

test('whatever limits and leases meet on a key, every slot is seen at rest', async () => {
  const all = [start(20), start(60), start(40), start(60)];
  let turn = 0;
  for (const one of all) {
    one.intercept = async (_call, run) => {
      await new Promise((resolve) => setTimeout(resolve, (turn++ * 7) % 4));
      return run();
    };
  }
  for (let round = 0; round < 40; round++) {
    const key = `k${String(round)}`;
    const limits = [1 + (round % 3), 12, 2 + (round % 7), 5];
    all.forEach(({ semaphore }, index) => track(semaphore.acquire(key, limits[index]!, 0, 'x')));
    await pass(100);
    expect(await memory().mget([`${key}:sem:extent`])).toEqual(['12 60000']);
  }
});

test('more slots than can be read at once are refused, and the bound is named', async () => {
  const a = start();
  const message = (max: number) =>
    `maxConcurrent must be at most 10000 on storage without atomic operations, got ${String(max)}`;
  for (const max of [10_001, 2e7, 2 ** 40]) {
    await expect(a.semaphore.acquire('k', max, 0, 'x')).rejects.toThrow(
      new RangeError(message(max)),
    );
    await expect(a.semaphore.acquire('k', max, 1_000, 'x')).rejects.toThrow(RangeError);
    await expect(a.semaphore.tryAcquire('k', max)).rejects.toThrow(message(max));
  }
  expect(a.calls).toEqual([]);
  expect(a.reports).toEqual([]);
  expect(await a.semaphore.acquire('k', 10_000, 0, 'x')).not.toBeNull();
});

test('nor is an extent believed that is larger', async () => {
  const a = start();
  await memory().set('k:sem:extent', '999999999999 1000');
  expect(await a.semaphore.getActiveCount('k')).toBe(0);
});
