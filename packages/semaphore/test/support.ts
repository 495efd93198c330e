import type {
  LeaseStorage,
  MessageHandler,
  PreparedOperation,
  StorageAdapter,
} from '@frontmcp/guard-core';
import { createMemoryStorage, type MemoryStorage } from '@frontmcp/guard-storage-adapters';
import { plainOnly } from '@frontmcp/guard-storage-conformance';

import {
  DistributedSemaphore,
  type DistributedSemaphoreOptions,
  type SemaphoreTicket,
} from '../src/index.js';

/** Time is the test's; what is queued to run at once still does. */
export function useTestTime(): void {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
}

/** Lets `ms` pass, timers and what they cause included. */
export function pass(ms = 0): Promise<void> {
  return jest.advanceTimersByTimeAsync(ms);
}

/** Stands between a semaphore and its storage. `call` is a step (`semaphore.acquire`), a method (`mget`) or `message`. */
export type Interceptor = (call: string, run: () => Promise<unknown>) => Promise<unknown>;

/** A store whose calls a test can count, delay, fail or drop. */
export interface TestStore {
  readonly memory: MemoryStorage;
  readonly storage: LeaseStorage;
  /** Every call, in order. */
  readonly calls: string[];
  /** How many tickets the last renewal or poll was about. */
  lastBatch: number;
  /** What the last call of each step was about. */
  readonly lastArgs: Map<string, unknown>;
  /** How many subscriptions there are now. */
  readonly subscriptions: () => number;
  intercept: Interceptor;
  /** The calls from now on go through undisturbed. */
  calm(): void;
}

const undisturbed: Interceptor = (_call, run) => run();

/**
 * How a semaphore takes its steps: by atomic steps, at once where the store answers at once, or by plain calls. What is answered at
 * once cannot be delayed or fail on the way: of an `immediate` store only the other calls go through `intercept`.
 */
export type StoreKind = 'atomic' | 'immediate' | 'plain';

/** Another process: its own semaphore and its own faults on the same memory. */
export function openStore(kind: StoreKind, memory: MemoryStorage): TestStore {
  const base: StorageAdapter = kind === 'plain' ? plainOnly(memory) : memory;
  let subscribed = 0;
  const through = <T>(call: string, run: () => Promise<T>): Promise<T> => {
    store.calls.push(call);
    return store.intercept(call, run) as Promise<T>;
  };
  const methods: LeaseStorage = {
    set: (key, value, options) => through('set', () => base.set(key, value, options)),
    mget: (keys) => through('mget', () => base.mget(keys)),
    delete: (key) => through('delete', () => base.delete(key)),
    mdelete: (keys) => through('mdelete', () => base.mdelete(keys)),
    keys: (pattern) => through('keys', () => base.keys(pattern)),
    publish: (channel, message) => through('publish', () => base.publish(channel, message)),
    subscribe: (channel, handler) =>
      through('subscribe', async () => {
        const deliver: MessageHandler = (message, from) =>
          void through('message', async () => handler(message, from)).catch(() => undefined);
        const unsubscribe = await base.subscribe(channel, deliver);
        subscribed++;
        return () =>
          through('unsubscribe', async () => {
            await unsubscribe();
            subscribed--;
          });
      }),
    supportsPubSub: () => base.supportsPubSub(),
    ...(base.compareAndDelete && {
      compareAndDelete: (key, value) =>
        through('compareAndDelete', () => base.compareAndDelete!(key, value)),
    }),
    ...(base.compareAndExpire && {
      compareAndExpire: (key, value, seconds) =>
        through('compareAndExpire', () => base.compareAndExpire!(key, value, seconds)),
    }),
    ...(base.prepare && {
      prepare: (operation, keyKind) => {
        const run: PreparedOperation<never, unknown> = base.prepare!(operation, keyKind);
        return (key, args) => {
          store.lastArgs.set(operation.name, args);
          const { ids } = Object(args) as { ids?: string[] };
          if (ids !== undefined) store.lastBatch = ids.length;
          return through(operation.name, () => run(key, args as never)) as never;
        };
      },
    }),
    ...(kind === 'immediate' && {
      inProcess: true,
      immediate: {
        prepare: (operation, keyKind) => {
          const run = memory.immediate.prepare(operation, keyKind);
          return (key, args) => {
            store.calls.push(operation.name);
            return run(key, args);
          };
        },
        executeTogether: (calls) => memory.immediate.executeTogether(calls),
      },
    }),
    ...(base.executeTogether && {
      executeTogether: (calls) => through('executeTogether', () => base.executeTogether!(calls)),
    }),
  };
  const store: TestStore = {
    memory,
    storage: methods,
    calls: [],
    lastBatch: 0,
    lastArgs: new Map(),
    subscriptions: () => subscribed,
    intercept: undisturbed,
    calm: () => {
      store.intercept = undisturbed;
    },
  };
  return store;
}

/** A process of the system under test. */
export interface TestProcess extends TestStore {
  readonly semaphore: DistributedSemaphore;
  readonly reports: { error: unknown; what: string }[];
}

/** Starts processes that share one memory, and ends them after the test. */
export function processes(kind: StoreKind): {
  memory: () => MemoryStorage;
  start: (ttlSeconds?: number, options?: DistributedSemaphoreOptions) => TestProcess;
} {
  let memory = createMemoryStorage();
  const started: TestProcess[] = [];
  beforeEach(() => {
    useTestTime();
    memory = createMemoryStorage();
  });
  afterEach(async () => {
    for (const { semaphore, calm } of started.splice(0)) {
      calm();
      const destroyed = semaphore.destroy();
      await pass(2_000);
      await destroyed;
    }
    await memory.disconnect();
    // Those that are left watch over leases of tickets that are still held, and end with them.
    await jest.runAllTimersAsync();
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });
  return {
    memory: () => memory,
    start: (ttlSeconds, options) => {
      const reports: TestProcess['reports'] = [];
      const store = openStore(kind, memory);
      const semaphore = new DistributedSemaphore(store.storage, ttlSeconds, {
        onError: (error, what) => reports.push({ error, what }),
        ...options,
      });
      const process: TestProcess = Object.assign(store, { semaphore, reports });
      started.push(process);
      return process;
    },
  };
}

/** What became of a promise so far. */
export function track<T>(promise: Promise<T>): {
  readonly value: T | undefined;
  readonly error: unknown;
  readonly isSettled: boolean;
} {
  const state: { value: T | undefined; error: unknown; isSettled: boolean } = {
    value: undefined,
    error: undefined,
    isSettled: false,
  };
  promise.then(
    (value) => Object.assign(state, { value, isSettled: true }),
    (error: unknown) => Object.assign(state, { error, isSettled: true }),
  );
  return state;
}

/** A call that never answers. */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}

/** A slot that must be free. */
export async function take(
  { semaphore }: TestProcess,
  key: string,
  max: number,
): Promise<SemaphoreTicket> {
  const ticket = await semaphore.acquire(key, max, 0, 'x');
  if (ticket === null) throw new Error('No slot');
  return ticket;
}
