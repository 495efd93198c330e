import { Miniflare } from 'miniflare';

import { bundleWorker, type PackageForm } from './bundle-worker.ts';

/** What a Worker is made of. */
export interface WorkerOptions {
  /** The file of its module, in TypeScript. */
  readonly entry: string;
  /** The bindings of KV namespaces. */
  readonly kv?: readonly string[];
  /** The classes of Durable Objects by their bindings, with SQLite. */
  readonly objects?: Readonly<Record<string, string>>;
  /** A folder where the objects keep what they store; by default it is gone with the Worker. */
  readonly persistObjectsIn?: string;
  /** What of the runtime is turned on, like `nodejs_compat`. */
  readonly compatibilityFlags?: readonly string[];
  /** What of the packages it uses: their source by default, or what is built. */
  readonly from?: PackageForm;
  /** The client libraries of stores that it has; none by default. */
  readonly clients?: readonly string[];
}

/** A Worker in workerd, with the Durable Objects and the KV of the local runtime. */
export interface LocalWorker {
  /** Where it listens on this machine, without a slash at the end. */
  readonly address: string;
  /** The status of what it answers to a request. */
  statusOf(path: string, headers?: Readonly<Record<string, string>>): Promise<number>;
  /**
   * Posts `{ name, args }` to it and takes `{ result }` for its answer. Rejects with an `{ error }`.
   */
  run(name: string, ...args: readonly unknown[]): Promise<unknown>;
  /** Ends the runtime. */
  stop(): Promise<void>;
}

/** Starts a Worker. It is ready in about a second. */
export async function startWorker(options: WorkerOptions): Promise<LocalWorker> {
  const { entry, kv = [], objects = {}, persistObjectsIn, compatibilityFlags = [] } = options;
  const { from = 'source', clients = [] } = options;
  const worker = new Miniflare({
    // Named one by one, so that nobody looks for modules that the Worker imports only if it is told to.
    modules: [
      { type: 'ESModule', path: 'worker.mjs', contents: bundleWorker(entry, from, clients) },
    ],
    compatibilityDate: '2026-01-01',
    compatibilityFlags: [...compatibilityFlags],
    cf: false,
    kvNamespaces: [...kv],
    durableObjects: Object.fromEntries(
      Object.entries(objects).map(([binding, className]) => [
        binding,
        { className, useSQLite: true },
      ]),
    ),
    ...(persistObjectsIn !== undefined && { durableObjectsPersist: persistObjectsIn }),
  });
  let address: URL;
  try {
    address = await worker.ready;
  } catch (error) {
    await worker.dispose();
    throw error;
  }
  return {
    address: address.origin,
    async statusOf(path, headers = {}) {
      const { status } = await worker.dispatchFetch(`http://worker${path}`, { headers });
      return status;
    },
    async run(name, ...args) {
      const body = JSON.stringify({ name, args });
      const reply = await worker.dispatchFetch('http://worker/', { method: 'POST', body });
      const { result, error } = (await reply.json()) as { result?: unknown; error?: string };
      if (error !== undefined) throw new Error(error);
      return result;
    },
    stop: () => worker.dispose(),
  };
}
