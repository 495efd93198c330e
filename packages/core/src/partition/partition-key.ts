/** What is known of a caller. */
export interface PartitionKeyContext {
  /** The session of the call. An empty one is absent: the call is then in the session `anonymous`. */
  readonly sessionId: string;
  /** The client's address, resolved by whoever knows the proxies in front of the server. What is no address is absent. */
  readonly clientIp?: string | undefined;
  /** The authenticated user, never what a client merely says. An empty one is absent. */
  readonly userId?: string | undefined;
}

/** The ways to share a count that have a name: `resolvePartitionKey` says what each of them gives. */
export type PartitionKeyStrategy = 'ip' | 'session' | 'userId' | 'global';

/**
 * Names the bucket of a call, at once: called for each call, with its context, or with the session `anonymous` alone for one
 * without. What it throws is thrown to the caller; anything but a non-empty string, a promise too, is a `GuardConfigError`.
 */
export type CustomPartitionKeyFn = (context: PartitionKeyContext) => string;

/** Which calls share a count: a strategy, or a function of the caller. */
export type PartitionKey = PartitionKeyStrategy | CustomPartitionKeyFn;
