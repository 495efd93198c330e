import { startRedis, type RedisServer } from '@frontmcp/guard-services';

import {
  untilEmpty,
  untilListening,
  untilWaiting,
  viewSemaphore,
  watchExpiry,
} from './semaphore-view.ts';
import { startGuardProcess, type GuardProcess } from './start-guard-process.ts';
import { until } from './until.ts';

let server: RedisServer;
let expiry: ReturnType<typeof watchExpiry>;
let started: GuardProcess[] = [];

beforeAll(async () => {
  server = await startRedis();
  expiry = watchExpiry(server);
});

afterAll(async () => {
  try {
    await untilEmpty(server);
    expect(await expiry.stop()).toEqual([]);
    await Promise.all(started.map((each) => each.stop()));
  } finally {
    await server.stop();
  }
}, 20_000);

/** Processes with semaphores of a short lease: those that are there from earlier tests, and as many new ones as it takes. */
async function use(count: number): Promise<GuardProcess[]> {
  const storage = { type: 'redis', redis: { url: server.url }, fallback: 'error' } as const;
  const open = () => startGuardProcess({ storage, leaseSeconds: 1.5 });
  const missing = Math.max(0, count - started.length);
  started.push(...(await Promise.all(Array.from({ length: missing }, open))));
  return started.slice(0, count);
}

/** Ends one as a crash does. */
async function kill(process: GuardProcess): Promise<void> {
  started = started.filter((each) => each !== process);
  await process.kill();
}

/** When the lease of a ticket ends unless it is renewed, on the clock of the server. */
async function leaseEnd(key: string, id: string): Promise<number> {
  const value = (await server.call('HGET', `${key}:sem`, `h${id}`)) as string;
  return Number(value.split(' ')[1]);
}

async function serverNow(): Promise<number> {
  const [seconds, micros] = (await server.call('TIME')) as [string, string];
  return Number(seconds) * 1000 + Number(micros) / 1000;
}

test('S-1: the slot of a process that was killed is taken until its lease ends, and given out then', async () => {
  const [holder, other] = await use(2);
  const id = (await holder!.hold('k1', 1, 0)) as string;
  await kill(holder!);
  const endsMs = await leaseEnd('k1', id);
  const waiting = other!
    .hold('k1', 1, 10_000)
    .then(async (taken) => ({ taken, gotMs: await serverNow() }));
  await untilWaiting(server, 'k1', 1);
  for (;;) {
    const before = await serverNow();
    const { live } = await viewSemaphore(server, 'k1');
    if (before >= endsMs - 50) break;
    expect(live).toEqual([id]);
  }
  const { gotMs, taken } = await waiting;
  expect(gotMs).toBeGreaterThanOrEqual(endsMs);
  expect(gotMs - endsMs).toBeLessThan(1_000);
  await other!.release(taken!);
}, 20_000);

/** Resolves when every place in a queue says that its process listens. */
async function untilHeard(key: string): Promise<void> {
  await until('every place says that its process listens', async () => {
    const places = (await server.call('HVALS', `${key}:sem`)) as string[];
    const waiters = places.filter((place) => place.split(' ').length === 5);
    return waiters.every((place) => place.split(' ')[3] === '1');
  });
}

test.each([1, 5])(
  'S-41: a killed process that waits %d times at the head of the queue costs the next one no time: the release itself serves it',
  async (count) => {
    const key = `k2-${count}`;
    const [holder, next, dead] = await use(3);
    const held = await holder!.hold(key, 1, 0);
    const lost = Array.from({ length: count }, () => dead!.hold(key, 1, 60_000));
    void Promise.allSettled(lost);
    await untilWaiting(server, key, count);
    const served = next!.hold(key, 1, 60_000);
    await untilListening(server, 2);
    const last = (await untilWaiting(server, key, count + 1)).waiting.at(-1);
    await untilHeard(key);
    await kill(dead!);
    await untilListening(server, 1);
    const releasedMs = performance.now();
    expect(await holder!.release(held!)).toBe(true);
    expect(await viewSemaphore(server, key)).toEqual({ live: [last], ended: [], waiting: [] });
    expect(await served).toBe(last);
    expect(performance.now() - releasedMs).toBeLessThan(900);
    expect(await next!.release(last!)).toBe(true);
  },
  20_000,
);

test('a stopped process that waits loses its hand-over after a second, and does not believe in it when it goes on', async () => {
  const [holder, stopped, next] = await use(3);
  const held = await holder!.hold('k3', 1, 0);
  const late = stopped!.hold('k3', 1, 60_000);
  await untilListening(server, 1);
  const { waiting } = await untilWaiting(server, 'k3', 1);
  const served = next!.hold('k3', 1, 60_000);
  await untilWaiting(server, 'k3', 2);
  await untilListening(server, 2);
  stopped!.pause();
  const releasedMs = performance.now();
  await holder!.release(held!);
  expect((await viewSemaphore(server, 'k3')).live).toEqual(waiting);
  const id = await served;
  const tookMs = performance.now() - releasedMs;
  expect(tookMs).toBeGreaterThan(950);
  expect(tookMs).toBeLessThan(2_500);
  expect((await viewSemaphore(server, 'k3')).live).toEqual([id]);
  stopped!.resume();
  // It queues again, which it would not do if it believed to hold.
  await untilWaiting(server, 'k3', 1);
  expect(await stopped!.believed()).toEqual([]);
  expect((await viewSemaphore(server, 'k3')).live).toEqual([id]);
  expect(await next!.release(id!)).toBe(true);
  expect(await stopped!.release((await late)!)).toBe(true);
}, 20_000);

test("a stopped process that holds has lost its lease at first sight, and gives nobody else's slot back", async () => {
  const [holder, other] = await use(2);
  const held = await holder!.hold('k4', 1, 0);
  holder!.pause();
  const id = await other!.hold('k4', 1, 60_000);
  holder!.resume();
  expect(await holder!.believed()).toEqual([]);
  expect(await holder!.lost(held!)).toMatch(/lost its slot/);
  expect(await holder!.release(held!)).toBe(false);
  expect((await viewSemaphore(server, 'k4')).live).toEqual([id]);
  expect(await other!.release(id!)).toBe(true);
}, 20_000);

describe('S-25: an event loop that is blocked for 1.5 leases', () => {
  test('has lost its ticket at first sight, when somebody took the slot', async () => {
    const [holder, other] = await use(2);
    const held = await holder!.hold('k5', 1, 0);
    const blocked = holder!.lookAfterBlock(held!, 2_250);
    const id = await other!.hold('k5', 1, 60_000);
    expect(await blocked).toEqual({ atOnce: true, afterPause: true });
    expect(await holder!.lost(held!)).toMatch(/lost its slot/);
    expect(await holder!.release(held!)).toBe(false);
    expect((await viewSemaphore(server, 'k5')).live).toEqual([id]);
    expect(await other!.release(id!)).toBe(true);
  }, 20_000);

  test('has lost its ticket as well when nobody did, and gives the slot back', async () => {
    const [holder, other] = await use(2);
    const held = await holder!.hold('k6', 1, 0);
    expect(await holder!.lookAfterBlock(held!, 2_250)).toEqual({ atOnce: true, afterPause: true });
    expect(await holder!.release(held!)).toBe(false);
    const id = await other!.hold('k6', 1, 0);
    expect(id).not.toBeNull();
    await other!.release(id!);
  }, 20_000);

  test('keeps its ticket when it is blocked for less than what is left of the lease', async () => {
    const [holder] = await use(1);
    const held = await holder!.hold('k7', 1, 0);
    const sight = await holder!.lookAfterBlock(held!, 700);
    expect(sight).toEqual({ atOnce: false, afterPause: false });
    await new Promise((resolve) => setTimeout(resolve, 1_600));
    expect((await viewSemaphore(server, 'k7')).live).toEqual([held]);
    expect(await holder!.believed()).toEqual([held]);
    expect(await holder!.release(held!)).toBe(true);
  }, 20_000);
});

describe('destroy while calls wait', () => {
  test('rejects them at once, leaves nothing in the store, and lets the process end', async () => {
    const key = 'k8';
    const [holder, leaver] = await use(2);
    const held = await holder!.hold(key, 1, 0);
    const waits = [60_000, 60_000, 2 ** 33].map((ms) => leaver!.hold(key, 1, ms));
    const outcomes = Promise.allSettled(waits);
    await untilWaiting(server, key, 3);
    await untilListening(server, 1);
    const leftMs = performance.now();
    await leaver!.finish();
    for (const outcome of await outcomes) {
      expect(String((outcome as PromiseRejectedResult).reason)).toContain(
        'GuardStorageUnavailableError',
      );
    }
    expect(performance.now() - leftMs).toBeLessThan(1_000);
    started = started.filter((each) => each !== leaver);
    expect(await leaver!.ended()).toBe(0);
    expect(performance.now() - leftMs).toBeLessThan(2_000);
    expect(await viewSemaphore(server, key)).toEqual({ live: [held], ended: [], waiting: [] });
    expect(await server.call('PUBSUB', 'CHANNELS', '*')).toEqual([]);
    expect(await holder!.release(held!)).toBe(true);
  }, 20_000);

  test('rejects those that are asking, and leaves nothing of them', async () => {
    const key = 'k9';
    const [leaver] = await use(1);
    const outcomes = Promise.allSettled(
      Array.from({ length: 20 }, () => leaver!.hold(key, 1, 60_000)),
    );
    const finished = leaver!.finish();
    const settled = await outcomes;
    await finished;
    expect(settled.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(19);
    started = started.filter((each) => each !== leaver);
    expect(await leaver!.ended()).toBe(0);
    const { live, waiting } = await viewSemaphore(server, key);
    const granted = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect({ live, waiting }).toEqual({ live: granted, waiting: [] });
  }, 20_000);
});

test('S-45: a storage that is disconnected under calls that wait rejects them within a second, and lets the process end', async () => {
  const [holder, next, leaver] = await use(3);
  const held = await holder!.hold('k10', 1, 0);
  const outcomes = Promise.allSettled([60_000, 2 ** 33].map((ms) => leaver!.hold('k10', 1, ms)));
  await untilWaiting(server, 'k10', 2);
  await untilListening(server, 1);
  await untilHeard('k10');
  const leftMs = performance.now();
  await leaver!.finish('storage only');
  for (const outcome of await outcomes) {
    expect(String((outcome as PromiseRejectedResult).reason)).toContain('is disconnected');
  }
  expect(performance.now() - leftMs).toBeLessThan(1_500);
  started = started.filter((each) => each !== leaver);
  expect(await leaver!.ended()).toBe(0);
  // Their places could not be given up, and hold nobody up.
  const served = next!.hold('k10', 1, 60_000);
  await untilWaiting(server, 'k10', 3);
  expect(await holder!.release(held!)).toBe(true);
  const id = await served;
  expect(await viewSemaphore(server, 'k10')).toEqual({ live: [id], ended: [], waiting: [] });
  expect(await next!.release(id!)).toBe(true);
}, 20_000);
