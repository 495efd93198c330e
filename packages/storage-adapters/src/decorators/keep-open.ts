import type { ImmediateStorage, StorageAdapter } from '@frontmcp/guard-core';

import { STORAGE_CALLS } from './around-calls.js';
import { KeptSubscriptions } from './kept-subscriptions.js';

/**
 * A store that belongs to somebody else: `disconnect` ends the subscriptions made here and leaves the store connected, at
 * once, whether the store answers or not. `ping` is false from then on. Everything else, calls after `disconnect` too, goes to
 * the store as it is.
 */
export function keepOpen(storage: StorageAdapter): StorageAdapter {
  const subscriptions = new KeptSubscriptions(storage);
  let connected = true;
  const kept = {
    get inProcess(): boolean | undefined {
      return storage.inProcess;
    },
    get epoch(): number | undefined {
      return storage.epoch;
    },
    get immediate(): ImmediateStorage | undefined {
      return storage.immediate;
    },
    connect: () => {
      connected = true;
      return storage.connect();
    },
    disconnect: () => {
      connected = false;
      void subscriptions.endAll();
      return Promise.resolve();
    },
    ping: () => (connected ? storage.ping() : Promise.resolve(false)),
    subscribe: subscriptions.add.bind(subscriptions),
    supportsPubSub: () => storage.supportsPubSub(),
  };
  const methods: Partial<Record<keyof StorageAdapter, unknown>> = {};
  for (const name of [...STORAGE_CALLS, 'prepare', 'canMeet', 'partOf', 'current'] as const) {
    if (storage[name] !== undefined) methods[name] = storage[name].bind(storage as never);
  }
  return Object.assign(kept, methods as StorageAdapter);
}
