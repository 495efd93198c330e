/** What is known of a caller. */
export interface PartitionKeyContext {
  /** The session of the call. */
  readonly sessionId: string;
  /** The client's address, resolved by whoever knows the proxies in front of the server. */
  readonly clientIp?: string | undefined;
  /** The authenticated user. */
  readonly userId?: string | undefined;
}

/** The ways to share a count that have a name. */
export type PartitionKeyStrategy = 'ip' | 'session' | 'userId' | 'global';

/** Names the bucket of a call. Must return a non-empty string. */
export type CustomPartitionKeyFn = (context: PartitionKeyContext) => string;

/** Which calls share a count: a strategy, or a function of the caller. */
export type PartitionKey = PartitionKeyStrategy | CustomPartitionKeyFn;
