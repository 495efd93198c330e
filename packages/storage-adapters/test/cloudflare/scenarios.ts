import {
  addOperation,
  storageConformance,
  type AddArgs,
  type Capability,
} from '@frontmcp/guard-storage-conformance';
import type { AtomicOperation, AtomicState, StorageAdapter } from '@frontmcp/guard-core';

import { createCloudflareKvStorage } from '../../src/cloudflare-kv.js';
import type { KvNamespaceBinding } from '../../src/cloudflare-kv/kv-binding.js';
import { createDurableObjectStorage } from '../../src/durable-objects.js';
import { objectOf, shardOf } from '../../src/durable-objects/key-index.js';
import type { ObjectBinding, WorkerEnv } from './worker-env.js';

/** The stores that the suite is run on, and what each lacks. */
export const STORES = {
  objects: ['together', 'pubSub', 'receivers', 'enumerate'],
  indexedObjects: ['together', 'pubSub', 'receivers'],
  kv: ['compare', 'atomic', 'together', 'pubSub', 'receivers', 'atomicPlain'],
  mergingKv: ['compare', 'atomic', 'together', 'pubSub', 'receivers', 'atomicPlain'],
} as const satisfies Record<string, readonly Capability[]>;

export type StoreName = keyof typeof STORES;

function createStore(env: WorkerEnv, name: StoreName): StorageAdapter {
  switch (name) {
    case 'objects':
      return createDurableObjectStorage({ namespace: env.GUARD });
    case 'indexedObjects':
      return createDurableObjectStorage({ namespace: env.INDEXED });
    case 'kv':
      return createCloudflareKvStorage({ namespace: env.KV }, { writeIntervalMs: 0 });
    case 'mergingKv':
      return createCloudflareKvStorage({ namespace: strict(env.KV) }, { writeIntervalMs: 250 });
  }
}

/** KV that refuses a second write of a key within 250 ms, as the real one does within a second and the local one never. */
function strict(kv: KvNamespaceBinding): KvNamespaceBinding {
  const writtenAt = new Map<string, number>();
  const write = async (name: string, run: () => Promise<void>): Promise<void> => {
    if (Date.now() - (writtenAt.get(name) ?? 0) < 250) {
      throw new Error('KV PUT failed: 429 Too Many Requests');
    }
    writtenAt.set(name, Date.now());
    await run();
  };
  return {
    getWithMetadata: (name, type) => kv.getWithMetadata(name, type),
    list: (options) => kv.list(options),
    put: (name, value, options) => write(name, () => kv.put(name, value, options)),
    delete: (name) => write(name, () => kv.delete(name)),
  };
}

const times = <T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)));

/** The error that a call rejects with, as `<name>: <message>`. */
async function failureOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    (value) => `resolved to ${JSON.stringify(value)}`,
    (error: unknown) => `${(error as Error).name}: ${(error as Error).message}`,
  );
}

interface KvListed {
  readonly expiration?: number;
  readonly metadata: { readonly expiresAtMs: number };
}

/** What the Worker can be asked to run. */
export const scenarios = {
  async warmUp(env: WorkerEnv) {
    for (const store of ['indexedObjects', 'kv'] as const) {
      const storage = createStore(env, store);
      await storage.set('warm', 'up', { ttlMs: 1 });
      await storage.keys();
    }
  },

  async conformance(env: WorkerEnv, store: StoreName, name: string) {
    const cases = storageConformance({
      createStorage: () => createStore(env, store),
      without: STORES[store],
    });
    await cases.find((each) => each.name === name)!.run();
  },

  /** A call of the storage contract. */
  async call(env: WorkerEnv, binding: ObjectBinding, method: 'get', ...args: [string]) {
    return createDurableObjectStorage({ namespace: env[binding] })[method](...args);
  },

  async failureOfCall(env: WorkerEnv, binding: ObjectBinding, method: 'get', ...args: [string]) {
    return failureOf(createDurableObjectStorage({ namespace: env[binding] })[method](...args));
  },

  async add(env: WorkerEnv, binding: ObjectBinding, key: string, args: AddArgs) {
    const storage = createDurableObjectStorage({ namespace: env[binding] });
    return storage.execute!(addOperation, key, args);
  },

  async failureOfStep(env: WorkerEnv, binding: ObjectBinding, name: string) {
    const storage = createDurableObjectStorage({ namespace: env[binding] });
    return failureOf(storage.execute!({ ...addOperation, name }, 'step', {} as AddArgs));
  },

  async step(env: WorkerEnv, binding: ObjectBinding, name: string, key: string, args: AddArgs) {
    const storage = createDurableObjectStorage({ namespace: env[binding] });
    return storage.execute!({ ...addOperation, name }, key, args);
  },

  async setLong(env: WorkerEnv, binding: ObjectBinding, key: string, length: number) {
    return createDurableObjectStorage({ namespace: env[binding] }).set(key, 'x'.repeat(length));
  },

  async failureOfSetLong(env: WorkerEnv, binding: ObjectBinding, key: string, length: number) {
    return failureOf(scenarios.setLong(env, binding, key, length));
  },

  async lengthOf(env: WorkerEnv, binding: ObjectBinding, key: string) {
    return (await createDurableObjectStorage({ namespace: env[binding] }).get(key))?.length;
  },

  /** Sets and deletes of a few keys at a time, each key set at last. */
  async indexRace(env: WorkerEnv, prefix: string, count: number) {
    const storage = createDurableObjectStorage({ namespace: env.INDEXED });
    const keys = Array.from({ length: count }, (_, index) => `${prefix} ${index}`);
    await Promise.all(
      keys.map(async (key) => {
        const race = times(6, (index) =>
          index % 2 === 0 ? storage.set(key, 'value') : storage.delete(key),
        );
        await race;
        await storage.set(key, 'value');
      }),
    );
    const listed = new Set(await storage.keys(`${prefix}*`));
    return { missing: keys.filter((key) => !listed.has(key)) };
  },

  /** A call at the door of the part of the index where a key is listed. */
  async rawShard(env: WorkerEnv, binding: ObjectBinding, key: string, body: string) {
    const shard = env[binding].get(shardOf(env[binding], key));
    return (await shard.fetch('https://guard/', { method: 'POST', body })).text();
  },

  /** What a step gets and gives, with all that JSON cannot say. */
  async echo(env: WorkerEnv) {
    const storage = createDurableObjectStorage({ namespace: env.GUARD });
    const echo: AtomicOperation<AtomicState, unknown, unknown> = {
      name: 'test.echo',
      decide: () => ({ result: undefined, admitted: true }),
    };
    const given = { a: [Infinity, -Infinity, NaN, -0, null], '%': '%', '%%x': { '%': 'Infinity' } };
    const got = (await storage.execute!(echo, 'echo', given)) as typeof given;
    const nothing = await storage.execute!(echo, 'echo', undefined);
    return [
      got.a.map((each) => (Object.is(each, -0) ? '-0' : String(each))),
      got['%'],
      got['%%x'],
      nothing === undefined,
    ];
  },

  /** A call at the door of an object that is none of the store's. */
  async raw(env: WorkerEnv, binding: ObjectBinding, body: string) {
    const namespace = env[binding];
    const object = namespace.get(objectOf(namespace, 'raw'));
    const reply = await object.fetch('https://guard/', { method: 'POST', body });
    return [reply.status, await reply.text()];
  },

  /** Asks the object of a key, or that of the part of the index where it is listed, through the door for tests. */
  async door(env: WorkerEnv, binding: ObjectBinding, key: string, path: string, body = '') {
    const namespace = env[binding];
    const isOfIndex = path === '/index-report';
    const object = namespace.get((isOfIndex ? shardOf : objectOf)(namespace, key));
    const url = `https://guard${isOfIndex ? '/report' : path}`;
    try {
      const text = await (await object.fetch(url, { method: 'POST', body })).text();
      return text === '' ? null : (JSON.parse(text) as unknown);
    } catch (error) {
      if (path === '/abort') return null;
      throw error;
    }
  },

  /** Two stores stand for two isolates, each of which reads and then writes. */
  async lostIncrements(env: WorkerEnv) {
    const stores = [createStore(env, 'kv'), createStore(env, 'kv')];
    const key = crypto.randomUUID();
    const sums = await Promise.all(stores.map((store) => store.incr(key)));
    return { sums, kept: await stores[0]!.get(key) };
  },

  /** What one isolate counts by itself, on a KV that refuses to be written often, and what another one reads in the end. */
  async mergedIncrements(env: WorkerEnv) {
    const storage = createStore(env, 'mergingKv');
    const key = crypto.randomUUID();
    const sums = await times(100, () => storage.incr(key));
    const before = await createStore(env, 'kv').get(key);
    await storage.disconnect();
    const after = await createStore(env, 'kv').get(key);
    return { highest: Math.max(...sums), different: new Set(sums).size, before, after };
  },

  /** Which keys are listed of many that begin alike, some of which KV cannot have as names. */
  async manyKeys(env: WorkerEnv, count: number) {
    const storage = createStore(env, 'kv');
    const prefix = crypto.randomUUID();
    const long = ['a', 'b'].map((end) => prefix + 'x'.repeat(600) + end);
    const keys = [...Array.from({ length: count }, (_, index) => prefix + String(index)), ...long];
    await Promise.all(keys.map((key) => storage.set(key, 'value')));
    const of = async (pattern: string): Promise<string[]> => (await storage.keys(pattern)).sort();
    const [all, some, one] = [await of(`${prefix}*`), await of('*b'), await of(long[0]!)];
    await storage.mdelete(keys);
    return {
      all: JSON.stringify(all) === JSON.stringify([...keys].sort()),
      some: some.filter((key) => key.startsWith(prefix)).length,
      one: one.length,
      left: (await of(`${prefix}*`)).length,
    };
  },

  /** What KV itself holds of a key. */
  async kvEntry(env: WorkerEnv, key: string, ttlMs: number) {
    const storage = createStore(env, 'kv');
    const beforeMs = Date.now();
    await storage.set(key, 'value', { ttlMs });
    const afterMs = Date.now();
    const { keys } = await env.KV.list({ prefix: '' });
    const found = keys.find(({ name }) => name === `=${key}`) as unknown as KvListed;
    const { expiration, metadata } = found;
    const setAtMs = metadata.expiresAtMs - ttlMs;
    return {
      isKeptForItsTime: beforeMs <= setAtMs && setAtMs <= afterMs,
      // Counted from the seconds in which it may have been set: most often one, sometimes two.
      kvKeepsForS:
        expiration === undefined
          ? null
          : [beforeMs, afterMs].map((ms) => expiration - Math.floor(ms / 1000)),
    };
  },
};

/** One of them. */
export type Scenario = (env: WorkerEnv, ...args: never[]) => Promise<unknown>;
