/** What is used of a Durable Object namespace: the binding of a Worker, in its environment. */
export interface DurableObjectNamespaceBinding {
  idFromName(name: string): object;
  get(id: object): DurableObjectStubBinding;
}

/** What is used of the stub of one object. */
export interface DurableObjectStubBinding {
  fetch(
    url: string,
    init: { readonly method: string; readonly body: string },
  ): Promise<{ readonly status: number; text(): Promise<string> }>;
}

/** What is used of what the runtime gives to the constructor of an object. */
export interface GuardObjectState {
  readonly storage: GuardObjectStorage;
}

/** What is used of the storage of one object. */
export interface GuardObjectStorage {
  get(key: string): Promise<unknown>;
  put(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<boolean>;
  deleteAll(): Promise<void>;
  list(options: {
    readonly prefix: string;
    readonly startAfter?: string;
    readonly limit: number;
  }): Promise<Map<string, unknown>>;
  getAlarm(): Promise<number | null>;
  setAlarm(timeMs: number): Promise<void>;
  deleteAlarm(): Promise<void>;
}

export function isDurableObjectNamespace(value: unknown): value is DurableObjectNamespaceBinding {
  if (typeof value !== 'object' || value === null) return false;
  const { idFromName, get } = value as Partial<DurableObjectNamespaceBinding>;
  return typeof idFromName === 'function' && typeof get === 'function';
}
