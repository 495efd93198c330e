import type { AtomicCall, GuardLogger } from '@frontmcp/guard-core';

import type { HolderReport } from './operations/inspect.js';
import type { SemaphoreTicket } from './ticket.js';
import type { AcquireRefusal } from './wait.js';

/** What a semaphore can be told beside its storage and its lease. */
export interface DistributedSemaphoreOptions {
  /** Hears of every failure that no caller hears of: a renewal, a release, a hand-over. */
  readonly logger?: GuardLogger;
  /** The same, for code. `what` says in words what failed. What it throws is ignored. */
  readonly onError?: (error: unknown, what: string) => void;
}

/** What one `acquire` can be told beside its arguments. */
export interface AcquireOptions {
  /** Ends the wait: the call rejects with the signal's reason in the same tick. */
  readonly signal?: AbortSignal;
  /** How many may wait for the key, an integer from 0, which lets nobody wait; Infinity by default. */
  readonly maxQueue?: number;
}

/** What one `tryAcquire` can be told. */
export interface TryAcquireOptions extends AcquireOptions {
  /** How long to wait for a slot, in milliseconds; 0 by default, Infinity for ever. */
  readonly queueTimeoutMs?: number;
  /** What the slot is for, in error messages; the key by default. */
  readonly name?: string;
}

/** A ticket, or why there is none. @typeParam Other Reasons that a caller adds of its own. */
export type TryAcquireResult<Other extends string = never> =
  | { readonly acquired: true; readonly ticket: SemaphoreTicket }
  | { readonly acquired: false; readonly reason: AcquireRefusal | Other };

/** What a key looks like now. */
export interface SemaphoreInspection {
  /** Who holds a slot, in no order. */
  readonly holders: readonly HolderReport[];
  /**
   * How many stand in the queue of the store; waiters of a process that died too, until it is their turn. On plain storage always
   * 0.
   */
  readonly queueLength: number;
}

/** One try as a step of an `executeTogether`, see {@link DistributedSemaphore.planAcquire}. */
export interface AcquirePlan {
  /** The step to send. Once: a plan is one try. */
  readonly call: AtomicCall;
  /** Whether a result of the step says that it got its slot, provided all other steps were admitted too. */
  isAdmitted(result: unknown): boolean;
  /**
   * The ticket of a result, from now on renewed; undefined when there was no slot. Call it only when every step of the
   * `executeTogether` was admitted: otherwise nothing was written, and there is nothing to settle.
   *
   * @throws GuardStorageUnavailableError when the semaphore was destroyed meanwhile; the slot goes back in the background.
   */
  settle(result: unknown): SemaphoreTicket | undefined;
  /** Takes back, in the background, what a call that failed without an answer may have taken. */
  abandon(): void;
}
