import type { GuardLogger, PartitionKeyContext, StorageAdapter } from '@frontmcp/guard-core';

import type { GuardPermit } from './entry/guard-permit.js';
import type {
  ConcurrencyConfig,
  GuardConfig,
  RateLimitConfig,
  TimeoutConfig,
} from './guard-config.js';

/** What a manager is built of. */
export interface GuardManagerOptions {
  /** Trusted as it is: `createGuardManager` checks it. */
  readonly config: GuardConfig;
  /** Connected, and disconnected by `destroy`. Keys are prefixed by the manager. */
  readonly storage: StorageAdapter;
  /** Hears what an operator should know. Nobody by default. */
  readonly logger?: GuardLogger | undefined;
}

/** What a call brings to {@link GuardManager.enter}. */
export interface EnterOptions {
  /** Who calls. Without one, all calls are one caller. */
  readonly context?: PartitionKeyContext | undefined;
  /** Replaces `defaultRateLimit`; `false` lifts it. */
  readonly rateLimit?: RateLimitConfig | false | undefined;
  /** Replaces `defaultConcurrency`; `false` lifts it. */
  readonly concurrency?: ConcurrencyConfig | false | undefined;
  /** Replaces `defaultTimeout`; `false` lifts it. */
  readonly timeout?: TimeoutConfig | false | undefined;
  /** Ends the wait for a slot, and is joined into the signal of the call. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The permit of the request that the call comes in. Its count and its slot of the global limits then stand for the call too, so
   * that one call in one request is not counted twice; a second call under the same permit is counted on its own. So is a call
   * of another caller, whose count is under another key. A permit of another manager, or one that is released, changes nothing.
   */
  readonly under?: GuardPermit | undefined;
  /**
   * Admits the call without its limits when the storage cannot be reached, instead of rejecting with
   * `GuardStorageUnavailableError`. The IP filter and the timeout hold all the same. False by default.
   */
  readonly failOpen?: boolean | undefined;
}

/** What a call brings to {@link GuardManager.run}. */
export interface RunOptions extends EnterOptions {
  /**
   * How long after the end of a call its slots are held for work that goes on all the same, in ms; 300,000 by default. Then
   * they are freed, and the logger hears of it.
   */
  readonly maxOverrunMs?: number | undefined;
  /** Frees the slots as soon as the call ends, whether its work goes on or not. False by default. */
  readonly releaseOnTimeout?: boolean | undefined;
}

/** What one acquire can be told beside its configuration. */
export interface AcquireSemaphoreOptions {
  /** Ends the wait: the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}
