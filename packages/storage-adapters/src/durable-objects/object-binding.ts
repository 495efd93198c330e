/** What is used of a Durable Object namespace: the binding of a Worker, in its environment. */
export interface DurableObjectNamespaceBinding {
  /** The id of the object of a name, the same each time. */
  idFromName(name: string): object;
  /** The way to the object of an id, which is made when it is first called. */
  get(id: object): DurableObjectStubBinding;
}

/** What is used of the stub of one object. */
export interface DurableObjectStubBinding {
  /** Calls the object. Rejects when it cannot be reached. */
  fetch(
    url: string,
    init: { readonly method: string; readonly body: string },
  ): Promise<{ readonly status: number; text(): Promise<string> }>;
}

/** What is used of what the runtime gives to the constructor of an object. */
export interface GuardObjectState {
  /** What the object keeps. */
  readonly storage: GuardObjectStorage;
}

/** What is used of the storage of one object. */
export interface GuardObjectStorage {
  /** The value of a key; undefined for an absent one. */
  get(key: string): Promise<unknown>;
  /** Keeps a value, by structured clone. */
  put(key: string, value: unknown): Promise<void>;
  /** Says whether the key was there. */
  delete(key: string): Promise<boolean>;
  /** Deletes every key. */
  deleteAll(): Promise<void>;
  /** Keys that begin with `prefix`, after `startAfter`, in order, `limit` at most. */
  list(options: {
    readonly prefix: string;
    readonly startAfter?: string;
    readonly limit: number;
  }): Promise<Map<string, unknown>>;
  /** When the alarm is due, in ms since the epoch; null for none. */
  getAlarm(): Promise<number | null>;
  /** Has `alarm` called at a time in ms since the epoch, instead of the time that was set. */
  setAlarm(timeMs: number): Promise<void>;
  /** Has no alarm called. */
  deleteAlarm(): Promise<void>;
}

export function isDurableObjectNamespace(value: unknown): value is DurableObjectNamespaceBinding {
  if (typeof value !== 'object' || value === null) return false;
  const { idFromName, get } = value as Partial<DurableObjectNamespaceBinding>;
  return typeof idFromName === 'function' && typeof get === 'function';
}
