import {
  DistributedSemaphore,
  GuardStorageUnavailableError,
  type SemaphoreTicket,
} from '@frontmcp/guard';
import {
  startRedis,
  startTcpProxy,
  startUpstashBridge,
  type RedisServer,
  type TcpProxy,
  type UpstashBridge,
} from '@frontmcp/guard-services';
import { createStorage, type StorageConfig } from '@frontmcp/guard-storage-adapters';

import {
  untilEmpty,
  untilListening,
  untilWaiting,
  viewSemaphore,
  watchExpiry,
} from './semaphore-view.ts';
import { until } from './until.ts';

let server: RedisServer;
let proxy: TcpProxy;
let expiry: ReturnType<typeof watchExpiry>;
const opened: (() => Promise<void>)[] = [];

beforeAll(async () => {
  server = await startRedis();
  proxy = await startTcpProxy(server);
  expiry = watchExpiry(server);
  await warmUp();
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((close) => close()));
  await untilListening(server, 0);
});

afterAll(async () => {
  try {
    await untilEmpty(server);
    expect(await expiry.stop()).toEqual([]);
  } finally {
    await proxy.stop();
    await server.stop();
  }
}, 20_000);

const THROUGH_PROXY = (): StorageConfig => ({
  type: 'redis',
  redis: { url: `redis://127.0.0.1:${proxy.port}` },
});

/** A semaphore on storage of its own, as a process has it. */
async function open(config: StorageConfig, leaseSeconds = 1.5): Promise<DistributedSemaphore> {
  const logger = { info: () => undefined, warn: () => undefined };
  const storage = await createStorage({ fallback: 'error', ...config }, { logger });
  const semaphore = new DistributedSemaphore(storage, leaseSeconds, { logger });
  opened.push(async () => {
    await semaphore.destroy();
    await storage.disconnect();
  });
  return semaphore;
}

/** One whose connections a test breaks, and one whose connections it leaves alone. */
async function openBoth(leaseSeconds?: number, timeoutMs?: number) {
  const direct: StorageConfig = { type: 'redis', redis: { url: server.url } };
  const timed = timeoutMs !== undefined && { timeoutMs };
  return Promise.all(
    [THROUGH_PROXY(), direct].map((config) => open({ ...config, ...timed }, leaseSeconds)),
  ) as Promise<[DistributedSemaphore, DistributedSemaphore]>;
}

/** Has the server know every script, so that it is sent one command for a step. */
async function warmUp(): Promise<void> {
  const semaphore = await open(THROUGH_PROXY(), 0.3);
  const ticket = await semaphore.acquire('warm', 1, 0, 'warm');
  const controller = new AbortController();
  const waiting = semaphore.acquire('warm', 1, 60_000, 'warm', controller);
  await untilListening(server, 1);
  const names = () => new Set(scripts().map(([, sha]) => sha));
  await until('steps to acquire, poll and renew were sent', () => names().size >= 3);
  controller.abort(new Error('Enough'));
  await expect(waiting).rejects.toThrow('Enough');
  await untilWaiting(server, 'warm', 0);
  await ticket?.release();
}

/** Fails unless it rejects with the error of a storage that is away. */
async function expectUnavailable(call: Promise<unknown>): Promise<void> {
  await expect(call).rejects.toBeInstanceOf(GuardStorageUnavailableError);
}

const scripts = (): string[][] => proxy.commands().filter(([name]) => name === 'evalsha');

describe('S-13: a reply that is lost', () => {
  test('of a try: a typed error, and the slot comes back long before the lease ends', async () => {
    const [shaky] = await openBoth(30);
    proxy.dropReplies(1);
    await expectUnavailable(shaky.acquire('t1', 1, 0, 't1'));
    expect((await viewSemaphore(server, 't1')).live).toHaveLength(1);
    await untilEmpty(server, 10_000);
  }, 20_000);

  test('of a call that may wait: exactly one holder and its ticket, or an error and none', async () => {
    const [shaky] = await openBoth(30);
    proxy.dropReplies(1);
    const outcome = await shaky.acquire('t2', 1, 30_000, 't2').catch((error: unknown) => error);
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(GuardStorageUnavailableError);
    else {
      const { id, release } = outcome as { id: string; release(): Promise<boolean> };
      expect((await viewSemaphore(server, 't2')).live).toEqual([id]);
      await release.call(outcome);
    }
    await untilEmpty(server, 10_000);
  }, 20_000);

  test('of a call that was put into the queue: its ticket, or an error and no place', async () => {
    const [shaky, steady] = await openBoth(30);
    const held = await steady.acquire('t3', 1, 0, 't3');
    proxy.dropReplies(1);
    const asked = shaky.acquire('t3', 1, 30_000, 't3').catch((error: unknown) => error);
    const outcome = await Promise.race([asked, untilWaiting(server, 't3', 0, 10_000)]);
    if (outcome instanceof Error) {
      expect(outcome).toBeInstanceOf(GuardStorageUnavailableError);
      await untilWaiting(server, 't3', 0);
    }
    expect(await held?.release()).toBe(true);
    await untilEmpty(server, 10_000);
  }, 20_000);

  test('S-2: of a release: the slot is free, and no later release of the ticket changes anything', async () => {
    const [shaky, steady] = await openBoth(30);
    const ticket = await shaky.acquire('t4', 1, 0, 't4');
    proxy.dropReplies(1);
    expect(await ticket?.release()).toBe(false);
    const other = await steady.acquire('t4', 1, 10_000, 't4');
    proxy.resetCommands();
    await until('the release was sent again', () => scripts().length > 0);
    expect(await ticket?.release()).toBe(false);
    expect((await viewSemaphore(server, 't4')).live).toEqual([other?.id]);
    expect(await other?.release()).toBe(true);
  }, 20_000);

  test('S-27: of a renewal: it is tried again, and the ticket stays', async () => {
    const [shaky] = await openBoth(6);
    const ticket = await shaky.acquire('t5', 1, 0, 't5');
    const { signal } = ticket!;
    proxy.resetCommands();
    proxy.dropReplies(1);
    const sentMs = performance.now();
    await until('a renewal was sent', () => scripts().length >= 1);
    expect(performance.now() - sentMs).toBeGreaterThan(1_500);
    await until('a renewal was sent again', () => scripts().length >= 2);
    expect(signal.aborted).toBe(false);
    expect((await viewSemaphore(server, 't5')).live).toEqual([ticket?.id]);
    expect(await ticket?.release()).toBe(true);
  }, 20_000);
});

describe('S-32: a subscriber whose connection is cut while it waits', () => {
  const faults: [name: string, cut: () => unknown][] = [
    ['by the server', () => server.call('CLIENT', 'KILL', 'TYPE', 'pubsub')],
    ['by the network', () => proxy.cut()],
  ];

  test.each(faults)(
    '%s, is served within about a second, and hears the next hand-over',
    async (_, cut) => {
      const [shaky, steady] = await openBoth(30);
      const held = await steady.acquire('c', 1, 0, 'c');
      const first = shaky.acquire('c', 1, 30_000, 'c');
      const second = shaky.acquire('c', 1, 30_000, 'c');
      await untilWaiting(server, 'c', 2);
      const channels = await untilListening(server, 1);
      await cut();
      const releasedMs = performance.now();
      expect(await held?.release()).toBe(true);
      const ticket = await first;
      expect(performance.now() - releasedMs).toBeLessThan(2_200);
      expect(await untilListening(server, 1)).toEqual(channels);
      await untilWaiting(server, 'c', 1);
      proxy.resetCommands();
      expect(await ticket?.release()).toBe(true);
      const next = await second;
      const third = shaky.acquire('c', 1, 30_000, 'c');
      await untilWaiting(server, 'c', 1);
      expect(await next?.release()).toBe(true);
      const last = await third;
      // Two releases, one acquire, and a look after the queue at most.
      expect(scripts().length).toBeLessThanOrEqual(4);
      expect(await last?.release()).toBe(true);
    },
    20_000,
  );

  test('of Upstash, whose stream ends, is served within about a second, and hears the next hand-over', async () => {
    const bridge: UpstashBridge = await startUpstashBridge(server);
    opened.push(() => bridge.stop());
    const { url, token } = bridge;
    const config = { type: 'upstash', upstash: { url, token, enablePubSub: true } } as const;
    const shaky = await open(config, 30);
    const [, steady] = await openBoth(30);
    const held = await steady.acquire('u', 1, 0, 'u');
    const first = shaky.acquire('u', 1, 30_000, 'u');
    await untilWaiting(server, 'u', 1);
    await untilListening(server, 1);
    bridge.cutSubscriptions();
    const releasedMs = performance.now();
    expect(await held?.release()).toBe(true);
    const ticket = await first;
    expect(performance.now() - releasedMs).toBeLessThan(2_200);
    // Somebody waits all the time, so that the subscription that was made again stays.
    const other = await steady.acquire('v', 1, 0, 'v');
    const standing = shaky.acquire('v', 1, 30_000, 'v');
    await untilWaiting(server, 'v', 1);
    await untilListening(server, 1);
    bridge.requests.reset();
    const handOvers = 20;
    let last = ticket;
    for (let turn = 0; turn < handOvers; turn++) {
      const next = shaky.acquire('u', 1, 30_000, 'u');
      await untilWaiting(server, 'u', 1);
      expect(await last?.release()).toBe(true);
      last = await next;
    }
    // An acquire and a release each, and few looks after the queue; without messages, each would be found by a look.
    expect(bridge.requests.commands).toBeLessThanOrEqual(2.5 * handOvers);
    expect(await last?.release()).toBe(true);
    expect(await other?.release()).toBe(true);
    expect(await (await standing)?.release()).toBe(true);
  }, 20_000);
});

describe('S-27: Redis that is stopped', () => {
  test('for longer than the lease loses tickets when their leases end here, whatever it says later', async () => {
    const [shaky] = await openBoth();
    const ticket = await shaky.acquire('p1', 1, 0, 'p1');
    const heldMs = performance.now();
    const aborted = new Promise((resolve) =>
      ticket!.signal.addEventListener('abort', () => resolve(performance.now())),
    );
    const waiting = shaky.acquire('p1', 1, 600, 'p1').catch((error: unknown) => error);
    await untilWaiting(server, 'p1', 1);
    server.pause();
    try {
      expect(((await aborted) as number) - heldMs).toBeLessThan(2_200);
      expect(ticket?.signal.reason).toMatchObject({ code: 'LEASE_LOST' });
      expect(await waiting).toMatchObject({
        code: expect.stringMatching(/QUEUE_TIMEOUT|GUARD_STORAGE_UNAVAILABLE/) as string,
      });
      await expectUnavailable(shaky.acquire('p1', 1, 0, 'p1'));
    } finally {
      server.resume();
    }
    expect(await ticket?.release()).toBe(false);
    await untilEmpty(server);
  }, 20_000);

  test('for less than that loses nothing, and serves those that wait', async () => {
    const [shaky, steady] = await openBoth(6);
    const ticket = await steady.acquire('p2', 1, 0, 'p2');
    const waiting = shaky.acquire('p2', 1, 30_000, 'p2');
    await untilWaiting(server, 'p2', 1);
    // It has the reply that gave it its place: without, the call would fail with the storage.
    await untilListening(server, 1);
    server.pause();
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    server.resume();
    await until('the lease was renewed', async () => {
      const now = (await server.call('TIME')) as [string, string];
      const text = (await server.call('HGET', 'p2:sem', `h${ticket!.id}`)) as string;
      return Number(text.split(' ')[1]) - Number(now[0]) * 1_000 > 4_500;
    });
    expect(ticket?.signal.aborted).toBe(false);
    const isUp = (semaphore: DistributedSemaphore): Promise<boolean> =>
      semaphore.inspect('p2').then(
        () => true,
        () => false,
      );
    await until('both storages are up', async () => (await isUp(shaky)) && (await isUp(steady)));
    expect(await ticket?.release()).toBe(true);
    const next = await waiting;
    expect(await next?.release()).toBe(true);
  }, 20_000);
});

/** Tickets, and how long it took from the first to the last: next to nothing, unless the machine has other work. */
async function settleAll(asked: readonly Promise<SemaphoreTicket | null>[]) {
  const gotMs: number[] = [];
  const tickets = await Promise.all(
    asked.map(async (one) => {
      const ticket = await one;
      gotMs.push(performance.now());
      return ticket;
    }),
  );
  return { tickets, spreadMs: Math.max(...gotMs) - Math.min(...gotMs) };
}

describe('1,000 in one process', () => {
  /** They ask all at once, on a machine that may have other work. */
  const PATIENT_MS = 20_000;

  test('S-31: that wait follow one channel, and none when nobody waits any more', async () => {
    const [shaky, steady] = await openBoth(30, PATIENT_MS);
    const held = await steady.acquire('m1', 1, 0, 'm1');
    const controller = new AbortController();
    const waiting = Array.from({ length: 1_000 }, () =>
      shaky.acquire('m1', 1, 60_000, 'm1', { signal: controller.signal }),
    );
    const outcomes = Promise.allSettled(waiting);
    await untilWaiting(server, 'm1', 1_000);
    await untilListening(server, 1);
    const clients = String(await server.call('CLIENT', 'LIST', 'TYPE', 'pubsub'));
    expect(clients.trim().split('\n')).toHaveLength(1);
    expect(clients).toContain(' sub=1 ');
    controller.abort(new Error('Enough'));
    await outcomes;
    await untilListening(server, 0);
    await untilWaiting(server, 'm1', 0);
    expect(await held?.release()).toBe(true);
  }, 30_000);

  test('that hold are renewed by one command each third of the lease', async () => {
    const [shaky] = await openBoth(3, PATIENT_MS);
    const { tickets, spreadMs } = await settleAll(
      Array.from({ length: 1_000 }, () => shaky.acquire('m2', 1_000, 0, 'm2')),
    );
    const ids = new Set(tickets.map((ticket) => ticket?.id));
    const renewed = (): number =>
      scripts().flatMap((args) => args.filter((id) => ids.has(id))).length;
    proxy.resetCommands();
    await until('each was renewed three times', () => renewed() >= 3_000);
    // Those that are due within a quarter of a third go together.
    expect(scripts().length).toBeLessThanOrEqual(3 * (1 + Math.floor(spreadMs / 250)));
    await Promise.all(tickets.map(async (ticket) => ticket?.release()));
    expect(tickets.some((ticket) => ticket?.signal.aborted)).toBe(false);
  }, 30_000);

  test('hand-overs that are held for more than 300 ms cost one command for all of them', async () => {
    const [shaky, steady] = await openBoth(30, PATIENT_MS);
    const held = await Promise.all(
      Array.from({ length: 100 }, () => steady.acquire('m3', 100, 0, 'm3')),
    );
    const waiting = Array.from({ length: 100 }, () => shaky.acquire('m3', 100, 30_000, 'm3'));
    await untilWaiting(server, 'm3', 100);
    await untilListening(server, 1);
    await until('all are known to listen', async () => {
      const places = (await server.call('HVALS', 'm3:sem')) as string[];
      return places.every((place) => place.split(' ').length !== 5 || / 1 \S+$/.test(place));
    });
    const polls = scripts().length;
    await Promise.all(held.map(async (ticket) => ticket?.release()));
    const { tickets, spreadMs } = await settleAll(waiting);
    const sent = scripts().length;
    expect(sent - polls).toBeLessThanOrEqual(1);
    await until('they were confirmed', () => scripts().length > sent);
    await new Promise((resolve) => setTimeout(resolve, 700));
    // Those that are due within a quarter of the 300 ms go together.
    expect(scripts().length - sent).toBeLessThanOrEqual(1 + Math.floor(spreadMs / 75));
    expect((await viewSemaphore(server, 'm3')).live).toHaveLength(100);
    await Promise.all(tickets.map(async (ticket) => ticket?.release()));
  }, 30_000);
});
