import type {
  AtomicCall,
  AtomicOperation,
  AtomicState,
  ImmediateOperation,
  PreparedOperation,
} from './atomic-operation.js';

/** Conditions and expiry of a `set`. Without an expiry the key lives for ever; with both, `ttlMs` counts. */
export interface SetOptions {
  /** Whole seconds, at least 1; anything else is a `RangeError`. */
  readonly ttlSeconds?: number;
  /** Whole milliseconds, at least 1; anything else is a `RangeError`. */
  readonly ttlMs?: number;
  /** Write only when the key is absent. */
  readonly ifNotExists?: boolean;
  /** Write only when the key is there. */
  readonly ifExists?: boolean;
}

/** One entry of an `mset`. */
export interface SetEntry {
  readonly key: string;
  readonly value: string;
  readonly options?: SetOptions;
}

/** Called for each message of a channel. A handler that throws disturbs nobody else. */
export type MessageHandler = (message: string, channel: string) => void;

/** Ends a subscription; calling it again does nothing. */
export type Unsubscribe = () => Promise<void>;

/**
 * Where guards keep their state: plain key-value calls, which every backend has.
 *
 * Keys and values are strings; an ill-formed string (a lone surrogate) as a key is a `TypeError`. An expired key is an
 * absent key. Every method rejects with `GuardStorageUnavailableError` when the backend cannot be reached.
 */
export interface PlainStorage {
  /** Whether calls stay in this process, so that remembering their answers saves nothing. Absent: they leave it. */
  readonly inProcess?: boolean | undefined;
  /** Changes whenever calls go to another store than before, so that answers of the former are forgotten. */
  readonly epoch?: number | undefined;
  /**
   * The store that calls go to now, for a caller who has to come back to the same one: a ticket is released to the store that
   * granted it. Calls on what it returns never go elsewhere; its keys are written as on this store. When a call on it finds
   * it down, the next `current()` may be another store. Subscribe here and not there: a subscription of this store hears every
   * store that it uses. Absent: calls always go to this store.
   */
  current?(): StorageAdapter;

  /** Opens what the adapter needs. Calling it again while connected does nothing. */
  connect(): Promise<void>;
  /** Ends subscriptions, timers and connections that the adapter opened. Calling it again does nothing. */
  disconnect(): Promise<void>;
  /** Whether the backend answers. Never rejects. */
  ping(): Promise<boolean>;

  get(key: string): Promise<string | null>;
  /** @returns False when `ifNotExists` or `ifExists` was not met, and nothing was written. */
  set(key: string, value: string, options?: SetOptions): Promise<boolean>;
  /** @returns Whether the key was there. */
  delete(key: string): Promise<boolean>;
  exists(key: string): Promise<boolean>;

  /** The values in the order of the keys, null for an absent one. */
  mget(keys: readonly string[]): Promise<(string | null)[]>;
  mset(entries: readonly SetEntry[]): Promise<void>;
  /** @returns How many of the keys were there. */
  mdelete(keys: readonly string[]): Promise<number>;

  /**
   * @param ttlSeconds Above 0, fractions allowed; anything else is a `RangeError`.
   * @returns False when the key is absent.
   */
  expire(key: string, ttlSeconds: number): Promise<boolean>;
  /** Whole seconds, rounded up; -1 for a key without expiry, null for an absent one. */
  ttl(key: string): Promise<number | null>;
  /** The keys that match a glob, in no order: `*` any run, `?` any one character, `\` takes the next one as it is. */
  keys(pattern?: string): Promise<string[]>;
  /** How many keys match, see {@link PlainStorage.keys}. */
  count(pattern?: string): Promise<number>;

  /** Adds 1, an absent key counts as 0. Keeps the expiry. @throws TypeError when the value is not an integer. */
  incr(key: string): Promise<number>;
  decr(key: string): Promise<number>;
  incrBy(key: string, amount: number): Promise<number>;

  /** @returns How many handlers or connections took it, as far as the backend knows. */
  publish(channel: string, message: string): Promise<number>;
  /** Resolves when messages published from now on will arrive. */
  subscribe(channel: string, handler: MessageHandler): Promise<Unsubscribe>;
  supportsPubSub(): boolean;
}

/** Touching a key only when it still holds what the caller wrote: what a lease needs on plain storage. */
export interface CompareStorage {
  /** Deletes the key when it holds `expected`. @returns Whether it did. */
  compareAndDelete(key: string, expected: string): Promise<boolean>;
  /** Sets the expiry when the key holds `expected`. @returns Whether it did. */
  compareAndExpire(key: string, expected: string, ttlSeconds: number): Promise<boolean>;
}

/** Steps on one key that nothing can come between. */
export interface AtomicStorage {
  /** Decides and commits one step on `key` as one atomic action. */
  execute<S extends AtomicState, A, R>(
    operation: AtomicOperation<S, A, R>,
    key: string,
    args: A,
  ): Promise<R>;
  /**
   * Decides all steps, then commits all when all are admitted, else none; one round trip. Resolves to the results in
   * order. The keys must differ, and be such that {@link AtomicStorage.canMeet} allows, else it rejects with
   * `GuardStorageUnsupportedError`. Absent: steps go one by one.
   */
  executeTogether?(calls: readonly AtomicCall[]): Promise<unknown[]>;
  /** Whether steps on these keys can be taken together: on Redis Cluster, those of one hash slot. Absent: any can. */
  canMeet?: (keys: readonly string[]) => boolean;
  /**
   * `execute` with what is constant resolved once: the returned function works on the key `<prefix><key>:<kind>`, without
   * building that name where the store does not need it. Kinds and prefixes are few: a store may keep something for each.
   *
   * @param prefix Nothing by default.
   * @throws TypeError when the name of one kind could end in another (`rl` and `x:rl`).
   */
  prepare?<S extends AtomicState, A, R>(
    operation: AtomicOperation<S, A, R>,
    kind: string,
    prefix?: string,
  ): PreparedOperation<A, R>;
  /**
   * The same steps without a promise, which costs as much as the whole step in memory. Only of a store that is `inProcess` and has
   * no `current`, see `immediateOf`.
   * Whoever wraps the steps of a store has to wrap these too, or to leave them out.
   */
  readonly immediate?: ImmediateStorage | undefined;
}

/**
 * Steps that are answered at once, for a store that has every state at hand. What they do and answer is what the methods of
 * the same names do; they throw what those reject with.
 */
export interface ImmediateStorage {
  /** See {@link AtomicStorage.prepare}. */
  prepare<S extends AtomicState, A, R>(
    operation: AtomicOperation<S, A, R>,
    kind: string,
    prefix?: string,
  ): ImmediateOperation<A, R>;
  /** See {@link AtomicStorage.executeTogether}. */
  executeTogether(calls: readonly AtomicCall[]): unknown[];
}

/** The storage contract: the plain part always, the rest where the backend can do it. */
export interface StorageAdapter
  extends PlainStorage, Partial<CompareStorage>, Partial<AtomicStorage> {}

/** The part that counting needs. */
export type CounterStorage = Pick<
  StorageAdapter,
  | 'current'
  | 'inProcess'
  | 'epoch'
  | 'execute'
  | 'executeTogether'
  | 'canMeet'
  | 'prepare'
  | 'immediate'
  | 'get'
  | 'set'
  | 'mget'
  | 'mdelete'
  | 'delete'
  | 'incrBy'
>;

/** The part that leasing needs. */
export type LeaseStorage = Pick<
  StorageAdapter,
  | 'current'
  | 'inProcess'
  | 'execute'
  | 'executeTogether'
  | 'canMeet'
  | 'prepare'
  | 'immediate'
  | 'set'
  | 'mget'
  | 'delete'
  | 'mdelete'
  | 'keys'
  | 'compareAndDelete'
  | 'compareAndExpire'
  | 'subscribe'
  | 'publish'
  | 'supportsPubSub'
>;
