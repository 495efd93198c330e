import type { PartitionKey } from '@frontmcp/guard-core';
import type { IpFilterConfig } from '@frontmcp/guard-ip-filter';
import type { StorageConfig } from '@frontmcp/guard-storage-adapters';

/** How many calls may be admitted in a window. */
export interface RateLimitConfig {
  /** Calls allowed in a window, a positive integer. */
  readonly maxRequests: number;
  /** Length of the window in ms, 60,000 by default. */
  readonly windowMs?: number | undefined;
  /** Which calls share a count, `'global'` by default. */
  readonly partitionBy?: PartitionKey | undefined;
}

/** How many executions may run at once. */
export interface ConcurrencyConfig {
  /** Executions allowed at once, a positive integer. */
  readonly maxConcurrent: number;
  /** How long to wait for a free slot, in ms; 0, the default, refuses at once. */
  readonly queueTimeoutMs?: number | undefined;
  /** How many may wait for a slot; a call that finds the queue full is refused at once. No bound by default. */
  readonly maxQueue?: number | undefined;
  /** Which calls share the slots, `'global'` by default. */
  readonly partitionBy?: PartitionKey | undefined;
}

/** How long an execution may take. */
export interface TimeoutConfig {
  /** In ms, a positive integer. */
  readonly executeMs: number;
}

/** What a guard manager enforces. */
export interface GuardConfig {
  /** Whether `enter` and `run` guard anything; when false they let everything through, without a timeout. */
  readonly enabled: boolean;
  /** Where the counters are kept; in the memory of the process by default. */
  readonly storage?: StorageConfig | undefined;
  /** Prefix of every storage key, `'mcp:guard:'` by default. A trailing `:` is dropped and one added. */
  readonly keyPrefix?: string | undefined;
  /** Rate limit of every call, whatever the entity. */
  readonly global?: RateLimitConfig | undefined;
  /** Concurrency limit across every entity. */
  readonly globalConcurrency?: ConcurrencyConfig | undefined;
  /** Rate limit of each entity that does not pass its own. */
  readonly defaultRateLimit?: RateLimitConfig | undefined;
  /** Concurrency limit of each entity that does not pass its own. */
  readonly defaultConcurrency?: ConcurrencyConfig | undefined;
  /** Timeout of each entity that does not pass its own. */
  readonly defaultTimeout?: TimeoutConfig | undefined;
  /** Which client addresses may come in. */
  readonly ipFilter?: IpFilterConfig | undefined;
}

/** The window of a rate limit that names none: a minute, in ms. */
export const DEFAULT_WINDOW_MS = 60_000;

/** The key prefix of a configuration that names none. */
export const DEFAULT_KEY_PREFIX = 'mcp:guard:';
