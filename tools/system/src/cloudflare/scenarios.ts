import { SlidingWindowRateLimiter } from '@frontmcp/guard-rate-limit';
import { DistributedSemaphore } from '@frontmcp/guard-semaphore';
import { createGuardManager, type GuardConfig, type StorageAdapter } from '@frontmcp/guard';
import {
  createCloudflareKvStorage,
  type CloudflareKvStorageOptions,
} from '@frontmcp/guard-storage-adapters/cloudflare-kv';
import {
  createDurableObjectStorage,
  type DurableObjectNamespaceBinding,
} from '@frontmcp/guard-storage-adapters/durable-objects';

/** The bindings of the Worker. */
export interface WorkerEnv {
  readonly GUARD: DurableObjectNamespaceBinding;
  readonly GUARD_KV: object;
}

const createKv = (env: WorkerEnv, options: CloudflareKvStorageOptions): StorageAdapter =>
  createCloudflareKvStorage({ namespace: env.GUARD_KV }, options);

const times = <T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)));

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function there<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('Nothing is there');
  return value;
}

/** The error that a call rejects with, as `<name>: <message>`. */
async function failureOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    (value) => `resolved to ${JSON.stringify(value)}`,
    (error: unknown) => `${(error as Error).name}: ${(error as Error).message}`,
  );
}

/** What the Worker can be asked to run. */
export const scenarios = {
  async managerOnKv(env: WorkerEnv, limits: Partial<GuardConfig>) {
    const guard = await createGuardManager({
      config: {
        enabled: true,
        keyPrefix: crypto.randomUUID(),
        storage: { type: 'cloudflare-kv', cloudflareKv: { namespace: env.GUARD_KV } },
        ...limits,
      },
      logger: { info: () => undefined, warn: () => undefined },
    });
    const allowed: boolean[] = [];
    for (let call = 0; call < 4; call++) {
      allowed.push((await guard.checkRateLimit('tool', undefined, undefined)).allowed);
    }
    await guard.destroy();
    return allowed;
  },

  async managerOnObjects(env: WorkerEnv, limits: Partial<GuardConfig>) {
    const guard = await createGuardManager({
      config: { enabled: true, keyPrefix: crypto.randomUUID(), ...limits },
      storage: createDurableObjectStorage({ namespace: env.GUARD }),
    });
    const outcomes = await times(20, () =>
      guard.run('tool', {}, () => 'served').catch((error: unknown) => (error as Error).name),
    );
    await guard.destroy();
    return outcomes.filter((outcome) => outcome === 'served').length;
  },

  async concurrentChecks(env: WorkerEnv, count: number, max: number) {
    const limiter = new SlidingWindowRateLimiter(
      createDurableObjectStorage({ namespace: env.GUARD }),
      { rememberDenied: false },
    );
    const key = crypto.randomUUID();
    const results = await times(count, () => limiter.check(key, max, 3_600_000));
    return results.filter(({ allowed }) => allowed).length;
  },

  async concurrentAcquires(env: WorkerEnv, count: number, max: number) {
    const key = crypto.randomUUID();
    // Each stands for a process of its own.
    const semaphores = Array.from(
      { length: 4 },
      () => new DistributedSemaphore(createDurableObjectStorage({ namespace: env.GUARD }), 30),
    );
    let active = 0;
    let most = 0;
    const served = await times(count, async (index) => {
      const semaphore = there(semaphores[index % semaphores.length]);
      const ticket = await semaphore.acquire(key, max, 60_000, 'test');
      most = Math.max(most, ++active);
      await pause(1);
      active--;
      return there(ticket).release();
    });
    const left = await there(semaphores[0]).getActiveCount(key);
    await Promise.all(semaphores.map((semaphore) => semaphore.destroy()));
    return { most, served: served.filter(Boolean).length, left };
  },

  async limiter(env: WorkerEnv) {
    const limiter = new SlidingWindowRateLimiter(
      createDurableObjectStorage({ namespace: env.GUARD }),
    );
    const key = crypto.randomUUID();
    const check = (cost = 1) => limiter.check(key, 3, 3_600_000, { cost });
    const first = await check(2);
    const tooMuch = await check(4);
    const denied = await check(2);
    await limiter.refund(key, first);
    const afterRefund = await limiter.peek(key, 3, 3_600_000);
    await check(3);
    await limiter.reset(key, 3_600_000);
    const afterReset = await limiter.peek(key, 3, 3_600_000);
    return [
      [first.allowed, first.remaining],
      [tooMuch.allowed, tooMuch.retryAfterMs === Infinity],
      [denied.allowed, there(denied.retryAfterMs) > 0],
      afterRefund.remaining,
      afterReset.remaining,
    ];
  },

  async semaphore(env: WorkerEnv) {
    const storage = createDurableObjectStorage({ namespace: env.GUARD });
    const [one, other] = [new DistributedSemaphore(storage), new DistributedSemaphore(storage)];
    const key = crypto.randomUUID();
    const ticket = there(await one.acquire(key, 1, 0, 'test'));
    const whileHeld = await other.acquire(key, 1, 0, 'test');
    const timedOut = await failureOf(other.acquire(key, 1, 150, 'test'));
    const { holders } = await other.inspect(key);
    const waiting = other.acquire(key, 1, 5_000, 'test');
    await pause(50);
    const wasReleased = await ticket.release();
    const next = there(await waiting);
    await one.forceReset(key);
    const afterReset = await one.getActiveCount(key);
    const wasReleasedAgain = await next.release();
    await Promise.all([one.destroy(), other.destroy()]);
    return {
      whileHeld,
      timedOut,
      holders: holders.length,
      wasReleased,
      afterReset,
      wasReleasedAgain,
    };
  },

  /** Limits that count by plain calls, and what takes more than that. */
  async guardsOnKv(env: WorkerEnv, options: CloudflareKvStorageOptions) {
    const storage = createKv(env, options);
    const limiter = new SlidingWindowRateLimiter(storage);
    const key = crypto.randomUUID();
    const admitted: boolean[] = [];
    for (let call = 0; call < 5; call++) {
      admitted.push((await limiter.check(key, 3, 3_600_000)).allowed);
    }
    const refused = await failureOf(new DistributedSemaphore(storage).acquire(key, 1, 0, 'test'));
    await storage.disconnect();
    const kept = await createKv(env, { writeIntervalMs: 0 }).keys(`${key}*`);
    const counts = await createKv(env, { writeIntervalMs: 0 }).mget(kept);
    return { admitted, refused, counts };
  },
};

/** One of them. */
export type Scenario = (env: WorkerEnv, ...args: never[]) => Promise<unknown>;
