import type { StorageAdapter } from '@frontmcp/guard-core';

import type { Question } from './answer.ts';
import type { CheckedStore, Loaded } from './behaviours/behaviour.ts';

/** A store to check on, and how to close it so that the process can end. */
export interface OpenStore extends CheckedStore {
  close(): Promise<void>;
}

/** Opens the store that is asked for, in the way that users do. @throws for one that is not known. */
export async function openStore({ guard }: Loaded, { store, url }: Question): Promise<OpenStore> {
  switch (store) {
    case 'memory':
      return opened(() => Promise.resolve(guard.createMemoryStorage()));
    case 'ioredis':
      return opened(() => guard.createStorage(redis({ url: String(url) })));
    case 'node-redis': {
      const { createClient } = await import('redis');
      const client = createClient({ url: String(url) });
      await client.connect();
      return opened(
        () => guard.createStorage(redis({ client })),
        () => client.destroy(),
      );
    }
    default:
      throw new Error(`Cannot open the store "${store}": it is not known`);
  }
}

/** On a loaded machine a first script may take its time, and a fallback to memory would hide the rest. */
function redis(config: object): object {
  return { type: 'redis', redis: config, fallback: 'error', timeoutMs: 30_000 };
}

async function opened(
  open: () => Promise<StorageAdapter>,
  closeClient: () => void = () => undefined,
): Promise<OpenStore> {
  const storage = await open();
  return {
    storage,
    open,
    without: [],
    async close() {
      await storage.disconnect();
      closeClient();
    },
  };
}
