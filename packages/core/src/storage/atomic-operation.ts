/**
 * What an atomic operation keeps under its key. It carries its own expiry, so that a store in the process needs no second
 * object per key. It is what structured clone copies: a store that writes it down gives Maps and `Infinity` back as they were.
 */
export interface AtomicState {
  /** When the state no longer matters, in ms on the clock that `decide` was given. The store may drop it from then on. */
  expiresAtMs: number;
}

/**
 * One step on the state under one key, written twice: `decide` for stores that hold the state in the process or have
 * exclusive access to the key, `script` for everything that speaks Redis. Both give the same results for the same history.
 *
 * @typeParam S The state under the key. @typeParam A What the caller passes. @typeParam R What the caller gets.
 */
export interface AtomicOperation<S extends AtomicState, A, R> {
  /** Stable and unique: `sliding-window.consume`. */
  readonly name: string;
  /**
   * Looks at the state and says what would happen; changes nothing by itself.
   *
   * @param state Undefined when the key is absent or expired. Not to be changed outside of {@link Decision.commit}.
   * @param nowMs The clock of the store, whole milliseconds. It may step back; a state's own time must not.
   */
  decide(state: S | undefined, args: A, nowMs: number): Decision<S, R>;
  /** The Lua twin. Absent: a store that runs scripts refuses the operation with `GuardStorageUnsupportedError`. */
  readonly script?: AtomicScript<A, R>;
}

/**
 * The Lua twin of an operation: the source, and how arguments and reply cross the wire.
 *
 * `source` is the body of a Lua function that decides, for Redis 6.2 and later. It has in scope `key`, the name of the key as
 * a string; `args`, the strings that `encode` gave, from 1; `now`, the clock of the store in whole milliseconds; and
 * `publish(channel, message)`, which is for the commit only. It reads and changes nothing by itself, and returns
 *
 * 1. the result, for `decode`: an integer, a string, or an array of these without a nil,
 * 2. whether the step is admitted,
 * 3. the commit, a function, or nothing when there is nothing to change. It is called at most once, at once. What it writes
 *    lives under `key` alone, so that no key can break it on Redis Cluster, and with an expiry.
 *
 * `publish` returns false when surely nobody heard the message: only a single server knows.
 *
 * A source may also ask for `alone`, and be spared the function where it costs: when it is true, nothing depends on the step's being
 * admitted but the step itself, so the source makes its change at once and returns no commit.
 */
export interface AtomicScript<A, R> {
  /** The body of the function. The same text for every call: stores keep it, and send its digest. */
  readonly source: string;
  /** The arguments as strings, for `args`. */
  encode(args: A): string[];
  /**
   * The result from what the function returned first: numbers may come as strings, depending on the client. @throws for a reply
   * that cannot be.
   */
  decode(reply: unknown, args: A): R;
}

/** The outcome of `decide`, and how to make it true. */
export interface Decision<S extends AtomicState, R> {
  /** What the caller gets, admitted or not. */
  readonly result: R;
  /** Whether the step got what it asked for. Steps taken together are committed only when all are admitted. */
  readonly admitted: boolean;
  /**
   * Makes the change and returns the state to keep, the same object or a new one; undefined deletes the key. The store
   * calls it at most once, at once, as a method of its decision, with nothing between it and `decide`. Absent: nothing changes, the
   * expiry neither.
   */
  commit?(): S | undefined;
  /** Sent after the commit, in order. */
  readonly publish?: readonly PublishedMessage[];
}

/** A message for the subscribers of a channel. */
export interface PublishedMessage {
  /** The exact name of the channel. `namespaceStorage` puts no prefix before it. */
  readonly channel: string;
  /** Delivered as it is, to those who listen now; kept for nobody. */
  readonly message: string;
}

/** One step of an `executeTogether`. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- steps of different state, argument and result types stand in one list; `atomicCall` checks each of them
export interface AtomicCall<S extends AtomicState = any, A = any, R = any> {
  /** What is done. */
  readonly operation: AtomicOperation<S, A, R>;
  /** To what. Two steps of one `executeTogether` cannot have the same. */
  readonly key: string;
  /** With what: checked by the operation, if by anybody. */
  readonly args: A;
}

/** An operation bound to what is constant about its calls, see `AtomicStorage.prepare`. */
export type PreparedOperation<A, R> = (key: string, args: A) => Promise<R>;

/** A {@link PreparedOperation} that answers at once, and throws what the other rejects with. */
export type ImmediateOperation<A, R> = (key: string, args: A) => R;
