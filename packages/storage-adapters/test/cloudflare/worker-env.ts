import type { KvNamespaceBinding } from '../../src/cloudflare-kv/kv-binding.js';

/** What is used of a binding of Durable Objects in tests. */
export interface TestNamespace {
  idFromName(name: string): object;
  get(id: object): { fetch(url: string, init: RequestInit): Promise<Response> };
}

/** The bindings of the test Worker. */
export interface WorkerEnv {
  readonly KV: KvNamespaceBinding;
  readonly GUARD: TestNamespace;
  readonly INDEXED: TestNamespace;
  readonly MISBOUND: TestNamespace;
  readonly ALIEN: TestNamespace;
}

export type ObjectBinding = Exclude<keyof WorkerEnv, 'KV'>;
