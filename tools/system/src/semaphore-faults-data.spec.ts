import { DistributedSemaphore } from '@frontmcp/guard';
import {
  startRedis,
  startTcpProxy,
  type RedisServer,
  type TcpProxy,
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

type Storage = Awaited<ReturnType<typeof createStorage>>;

let server: RedisServer;
let proxy: TcpProxy;
let expiry: ReturnType<typeof watchExpiry>;
const opened: (() => Promise<void>)[] = [];

beforeAll(async () => {
  server = await startRedis();
  proxy = await startTcpProxy(server);
  expiry = watchExpiry(server);
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((close) => close()));
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

interface Opened {
  readonly storage: Storage;
  readonly semaphore: DistributedSemaphore;
}

/** A semaphore on storage of its own, as a process has it. */
async function open(
  port: number,
  leaseSeconds: number,
  more: Pick<StorageConfig, 'fallback' | 'timeoutMs'> = {},
): Promise<Opened> {
  const logger = { info: () => undefined, warn: () => undefined };
  const config: StorageConfig = { type: 'redis', redis: { url: `redis://127.0.0.1:${port}` } };
  const storage = await createStorage({ ...config, fallback: 'error', ...more }, { logger });
  const semaphore = new DistributedSemaphore(storage, leaseSeconds, { logger });
  opened.push(async () => {
    await semaphore.destroy();
    await storage.disconnect();
  });
  return { storage, semaphore };
}

describe('Redis that restarts empty', () => {
  test('S-7: tells holders with their next renewal, and serves those that wait, no more than max of them', async () => {
    // Nothing hangs here: a machine that is busy is no outage.
    const patient = { timeoutMs: 10_000 };
    const [a, b] = await Promise.all([
      open(server.port, 3, patient),
      open(server.port, 3, patient),
    ]);
    const held = await Promise.all([1, 2].map(() => a.semaphore.acquire('r', 2, 0, 'r')));
    const lost = held.map(
      (ticket) =>
        new Promise((resolve) =>
          ticket?.signal.addEventListener('abort', () => resolve(ticket.signal.reason)),
        ),
    );
    let [live, most, served] = [0, 0, 0];
    const turns = Array.from({ length: 10 }, async () => {
      const ticket = await b.semaphore.acquire('r', 2, 30_000, 'r');
      most = Math.max(most, ++live);
      await new Promise((resolve) => setTimeout(resolve, 100));
      live--;
      served++;
      expect(await ticket?.release()).toBe(true);
    });
    await untilWaiting(server, 'r', 10);
    await server.restart();
    for (const reason of await Promise.all(lost)) {
      expect(reason).toMatchObject({ code: 'LEASE_LOST' });
    }
    await Promise.all(turns);
    expect([most, served]).toEqual([2, 10]);
    expect(await Promise.all(held.map(async (ticket) => ticket?.release()))).toEqual([
      false,
      false,
    ]);
  }, 30_000);
});

test('S-46: a server that forgets its scripts while calls wait serves them in order', async () => {
  const [a, b] = await Promise.all([open(server.port, 3), open(server.port, 3)]);
  const held = await a.semaphore.acquire('f', 1, 0, 'f');
  const served: number[] = [];
  const turns: Promise<void>[] = [];
  for (let caller = 0; caller < 6; caller++) {
    const { semaphore } = caller % 2 === 0 ? a : b;
    turns.push(
      (async () => {
        const ticket = await semaphore.acquire('f', 1, 30_000, 'f');
        served.push(caller);
        await server.call('SCRIPT', 'FLUSH');
        expect(await ticket?.release()).toBe(true);
      })(),
    );
    await untilWaiting(server, 'f', caller + 1);
  }
  await untilListening(server, 2);
  await server.call('SCRIPT', 'FLUSH');
  expect(await held?.release()).toBe(true);
  await Promise.all(turns);
  expect(served).toEqual([0, 1, 2, 3, 4, 5]);
}, 20_000);

describe('with memory to fall back to', () => {
  const goDown = (): void => {
    proxy.refuse();
    proxy.cut();
  };

  /** Lets the server be reached again, and calls until calls go there. */
  async function comeBack({ storage, semaphore }: Opened): Promise<void> {
    const { epoch } = storage;
    proxy.accept();
    await until('calls go to the server again', async () => {
      await semaphore.getActiveCount('nothing');
      return storage.epoch !== epoch;
    });
  }

  test('a ticket goes back to the store that granted it', async () => {
    const shaky = await open(proxy.port, 30, { fallback: 'memory' });
    const { semaphore } = shaky;
    const there = await semaphore.acquire('m', 1, 0, 'm');
    goDown();
    const here = await semaphore.acquire('m', 1, 0, 'm');
    expect(here).not.toBeNull();
    expect(await semaphore.acquire('m', 1, 0, 'm')).toBeNull();
    await comeBack(shaky);
    expect((await viewSemaphore(server, 'm')).live).toEqual([there?.id]);
    expect(await semaphore.acquire('m', 1, 0, 'm')).toBeNull();
    expect(await here?.release()).toBe(true);
    expect((await viewSemaphore(server, 'm')).live).toEqual([there?.id]);
    expect(await there?.release()).toBe(true);
    expect((await viewSemaphore(server, 'm')).live).toEqual([]);
    goDown();
    const again = await semaphore.acquire('m', 1, 0, 'm');
    expect(await again?.release()).toBe(true);
    await comeBack(shaky);
  }, 20_000);

  test('S-13: a slot that a call took in Redis without an answer goes back there, though memory granted the ticket', async () => {
    const shaky = await open(proxy.port, 30, { fallback: 'memory' });
    const warm = await shaky.semaphore.acquire('l', 1, 0, 'l');
    await warm?.release();
    proxy.dropReplies(1);
    const ticket = await shaky.semaphore.acquire('l', 1, 0, 'l');
    expect(ticket).not.toBeNull();
    expect((await viewSemaphore(server, 'l')).live).toHaveLength(1);
    await comeBack(shaky);
    await until('it is free again', async () => {
      const { live } = await viewSemaphore(server, 'l');
      return live.length === 0;
    });
    expect(ticket?.signal.aborted).toBe(false);
    expect(await ticket?.release()).toBe(true);
  }, 20_000);

  test('a call that waits in Redis, then in memory, then in Redis again has one ticket, of Redis', async () => {
    const [shaky, steady] = await Promise.all([
      open(proxy.port, 30, { fallback: 'memory' }),
      open(server.port, 30),
    ]);
    const there = await steady.semaphore.acquire('w', 1, 0, 'w');
    const waiting = shaky.semaphore.acquire('w', 1, 60_000, 'w');
    const { waiting: first } = await untilWaiting(server, 'w', 1);
    await untilListening(server, 1);
    goDown();
    const here = await shaky.semaphore.acquire('w', 1, 0, 'w');
    expect(here).not.toBeNull();
    await until('it waits in memory', async () => {
      const { queueLength } = await shaky.semaphore.inspect('w');
      return queueLength === 1;
    });
    await comeBack(shaky);
    // As another ticket: what came of the first one is not known while Redis is away, and withdrawn as soon as it is not.
    await until('it waits in Redis again, once', async () => {
      const view = await viewSemaphore(server, 'w');
      return view.waiting.length === 1 && view.waiting[0] !== first[0];
    });
    expect(await here?.release()).toBe(true);
    await untilListening(server, 1);
    expect(await there?.release()).toBe(true);
    const ticket = await waiting;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(ticket?.signal.aborted).toBe(false);
    expect((await viewSemaphore(server, 'w')).live).toEqual([ticket?.id]);
    expect(await ticket?.release()).toBe(true);
    await untilEmpty(server, 5_000);
    goDown();
    const again = await shaky.semaphore.acquire('w', 1, 0, 'w');
    expect(await again?.release()).toBe(true);
    await comeBack(shaky);
  }, 30_000);
});
