import type { MessageHandler, StorageAdapter, Unsubscribe } from '@frontmcp/guard-core';

import { createMemoryStorage, type MemoryStorage } from '../src/index.js';

/** What a call to a {@link FaultyStorage} does. */
export type Fault = 'none' | 'fails' | 'hangs';

/**
 * A store outside of the process whose backend fails or hangs on demand, which no real server can be made to do at a given
 * moment. Behind it is a memory store, so everything else is real.
 */
export interface FaultyStorage {
  readonly storage: StorageAdapter;
  /** The backend itself. */
  readonly backend: MemoryStorage;
  fault: Fault;
  /** Which calls the fault hits, by what they are called with: all by default. */
  hits: (args: readonly unknown[]) => boolean;
  /** What calls fail with. */
  error: unknown;
  /** The names of the calls that reached the store. */
  readonly calls: string[];
  /** Has the backend forget its subscribers, as a restart does. */
  dropSubscriptions(): void;
  /** Answers every call that hangs: with its own result, or with a failure. */
  answer(outcome: 'result' | 'failure'): void;
}

export function createFaultyStorage(backend: MemoryStorage = createMemoryStorage()): FaultyStorage {
  const hanging: ((outcome: 'result' | 'failure') => void)[] = [];
  const subscriptions: Unsubscribe[] = [];
  const faulty: FaultyStorage = {
    backend,
    fault: 'none',
    hits: () => true,
    error: new Error('read ECONNRESET'),
    calls: [],
    storage: {} as StorageAdapter,
    dropSubscriptions: () => subscriptions.splice(0).forEach((end) => void end()),
    answer: (outcome) => hanging.splice(0).forEach((settle) => settle(outcome)),
  };

  const through = async <T>(
    name: string,
    args: readonly unknown[],
    run: () => Promise<T>,
  ): Promise<T> => {
    faulty.calls.push(name);
    if (faulty.fault === 'none' || !faulty.hits(args)) return run();
    if (faulty.fault === 'fails') throw faulty.error;
    return new Promise<T>((resolve, reject) => {
      hanging.push((outcome) => {
        if (outcome === 'result') void run().then(resolve, reject);
        else reject(faulty.error);
      });
    });
  };

  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(backend)).filter(
    (name) => !['constructor', 'size', 'prepare', 'supportsPubSub', 'ping'].includes(name),
  );
  for (const name of names) {
    const method = Reflect.get(backend, name) as (...args: never[]) => Promise<unknown>;
    Reflect.set(faulty.storage, name, (...args: never[]) =>
      through(name, args, () => method.apply(backend, args)),
    );
  }
  Object.assign(faulty.storage, {
    supportsPubSub: () => true,
    ping: () => through('ping', [], () => backend.ping()).catch(() => false),
    prepare: (...bound: Parameters<MemoryStorage['prepare']>) => {
      const prepared = backend.prepare(...bound);
      return (...args: Parameters<typeof prepared>) =>
        through('prepared', args, () => prepared(...args));
    },
    subscribe: (channel: string, handler: MessageHandler) =>
      through('subscribe', [channel], async () => {
        const end = await backend.subscribe(channel, handler);
        subscriptions.push(end);
        return () => through('unsubscribe', [channel], end);
      }),
  });
  return faulty;
}
