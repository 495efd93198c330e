import type {
  AtomicCall,
  AtomicOperation,
  AtomicState,
  ImmediateOperation,
  PreparedOperation,
} from './atomic-operation.js';

/**
 * Conditions and expiry of a `set`. Without an expiry the key lives for ever, whatever it did before; with both, `ttlMs` counts.
 * With both conditions nothing is ever written.
 */
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
  /** Any well-formed string. */
  readonly key: string;
  /** Any string, the empty one too; anything else is a `TypeError`. */
  readonly value: string;
  /** The expiry of this entry. `ifNotExists` and `ifExists` are for `set` alone: here they are a `TypeError`. */
  readonly options?: SetOptions;
}

/**
 * Called for each message of a channel, in order. A handler that throws disturbs nobody else; nothing waits for what it returns.
 */
export type MessageHandler = (message: string, channel: string) => void;

/** Ends one subscription: its handler hears nothing that is published from then on. Calling it again does nothing. */
export type Unsubscribe = () => Promise<void>;

/**
 * Where guards keep their state: plain key-value calls, which every backend has.
 *
 * Keys and values are strings; an ill-formed string (a lone surrogate) as a key is a `TypeError`. An expired key is an absent
 * key, by the clock of the store. Every method but `ping` and `supportsPubSub` rejects with `GuardStorageUnavailableError` when
 * the backend cannot be reached, and after `disconnect`.
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
  /**
   * The part of the backend that holds a key, by a name of its own: the node of a Redis Cluster. Whether a part answers says nothing
   * of the others. Undefined while it is not known which. Never throws, and asks nobody. Absent: the backend is one.
   */
  partOf?: (key: string) => string | undefined;

  /** Opens what the adapter needs. Calling it again while connected does nothing. */
  connect(): Promise<void>;
  /** Ends subscriptions, timers and connections that the adapter opened. Calling it again does nothing. */
  disconnect(): Promise<void>;
  /** Whether the backend answers. Never rejects. */
  ping(): Promise<boolean>;

  /** The value; null for an absent key. @throws TypeError when the key holds the state of an operation. */
  get(key: string): Promise<string | null>;
  /**
   * Writes a value, in the place of whatever the key held.
   *
   * @returns False when `ifNotExists` or `ifExists` was not met, and nothing was written.
   * @throws TypeError for a value that is no string. RangeError for an expiry that is none.
   */
  set(key: string, value: string, options?: SetOptions): Promise<boolean>;
  /** Deletes a key, whatever it holds. @returns Whether the key was there. */
  delete(key: string): Promise<boolean>;
  /** Whether the key is there, with an empty value too. */
  exists(key: string): Promise<boolean>;

  /** The values in the order of the keys, null for an absent one. */
  mget(keys: readonly string[]): Promise<(string | null)[]>;
  /**
   * Writes all entries, or none when one of them is refused for what it is. An empty list is no call. Not promised to be one
   * step: others may see a part of it.
   */
  mset(entries: readonly SetEntry[]): Promise<void>;
  /** Deletes all keys, or none when one of them cannot be a key. @returns How many of the keys were there. */
  mdelete(keys: readonly string[]): Promise<number>;

  /**
   * Sets when a key is gone, counted from now, and leaves its value.
   *
   * @param ttlSeconds Above 0, fractions allowed; anything else is a `RangeError`.
   * @returns False when the key is absent.
   */
  expire(key: string, ttlSeconds: number): Promise<boolean>;
  /** Whole seconds, rounded up; -1 for a key without expiry, null for an absent one. */
  ttl(key: string): Promise<number | null>;
  /** The keys that match a glob, in no order: `*` any run, `?` any one character, `\` takes the next one as it is. */
  keys(pattern?: string): Promise<string[]>;
  /** How many keys match, see {@link PlainStorage.keys}. As costly as that. */
  count(pattern?: string): Promise<number>;

  /**
   * Adds 1, an absent key counts as 0. Keeps the expiry.
   *
   * @returns The sum.
   * @throws TypeError when the value or the sum is not a safe integer; the value then stays.
   */
  incr(key: string): Promise<number>;
  /** Takes 1 off, below 0 too. See {@link PlainStorage.incr}. */
  decr(key: string): Promise<number>;
  /** Adds an integer, which may be negative or 0; another amount is a `TypeError`. See {@link PlainStorage.incr}. */
  incrBy(key: string, amount: number): Promise<number>;

  /**
   * Sends a message to those who listen now. @returns How many handlers or connections took it, as far as the backend knows; 0
   * for nobody.
   */
  publish(channel: string, message: string): Promise<number>;
  /**
   * Calls a handler for every message of exactly this channel. Resolves when messages published from now on will arrive. A
   * handler that is given twice hears each message twice. `disconnect` ends it.
   */
  subscribe(channel: string, handler: MessageHandler): Promise<Unsubscribe>;
  /** Whether `publish` and `subscribe` work; where not, they reject with `GuardStorageUnsupportedError`. Never throws. */
  supportsPubSub(): boolean;
}

/** Touching a key only when it still holds what the caller wrote: what a lease needs on plain storage. */
export interface CompareStorage {
  /** Deletes the key when it holds `expected`, in one step. @returns Whether it did; false for an absent key. */
  compareAndDelete(key: string, expected: string): Promise<boolean>;
  /**
   * Sets the expiry when the key holds `expected`, in one step.
   *
   * @param ttlSeconds As `expire` takes it.
   * @returns Whether it did; false for an absent key.
   */
  compareAndExpire(key: string, expected: string, ttlSeconds: number): Promise<boolean>;
}

/** Steps on one key that nothing can come between. */
export interface AtomicStorage {
  /**
   * Decides and commits one step on `key` as one atomic action. The clock is the store's.
   *
   * @throws TypeError when the key holds a plain value. GuardStorageUnsupportedError when the store cannot run this operation.
   */
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

/** The part of a storage that `SlidingWindowRateLimiter` needs. */
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

/** The part of a storage that `DistributedSemaphore` needs. */
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
