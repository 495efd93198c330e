import {
  assertStorageKey,
  atomicCall,
  GuardStorageUnsupportedError,
  optionProblem,
  type LeaseStorage,
} from '@frontmcp/guard-core';

import { assertMaxConcurrent, assertTicketTtlSeconds } from './assert-arguments.js';
import { SEMAPHORE_KIND } from './atomic-store.js';
import { QueueTimeoutError } from './errors/queue-timeout-error.js';
import { openStore } from './open-store.js';
import { acquireOperation, tryArgs, type AcquireReply } from './operations/acquire.js';
import { createProcessId } from './process-id.js';
import { destroyed, SlotRequests, type SlotRequest } from './slot-requests.js';
import type {
  AcquireOptions,
  AcquirePlan,
  DistributedSemaphoreOptions,
  SemaphoreInspection,
  TryAcquireOptions,
  TryAcquireResult,
} from './semaphore-options.js';
import { TicketDesk } from './ticket-desk.js';
import type { TicketStore } from './ticket-store.js';
import type { SemaphoreTicket, Ticket } from './ticket.js';
import { monotonicNow } from './timers.js';
import type { AcquireRefusal } from './wait.js';

const OPTIONS: readonly (keyof DistributedSemaphoreOptions)[] = ['logger', 'onError'];
const ACQUIRE: readonly (keyof AcquireOptions)[] = ['signal', 'maxQueue'];
const TRY_ACQUIRE: readonly (keyof TryAcquireOptions)[] = [...ACQUIRE, 'queueTimeoutMs', 'name'];

/**
 * Limits how many executions run at once for a key, across all processes that share the storage.
 *
 * A slot is held by a ticket, under a lease that is renewed every third of it. The lease only frees the slot of a process
 * that died. On storage with atomic operations and publish/subscribe, whoever does not get a slot stands in one queue for
 * all processes, and a release hands its slot to the first: in order of arrival, and nobody overtakes. Without
 * publish/subscribe, and on plain storage, order holds within a process only.
 *
 * One instance stands for one process: it has one timer for all renewals, which lets the process end, and one subscription
 * while anybody waits. Times of leases and queues are the storage's; deadlines are counted on this process's monotonic clock.
 *
 * In a Worker one instance stands for one request and is made in it. Timers and calls there end with the request that started
 * them: of an instance that several share, leases would no longer be renewed, and waits no longer be served, without a word.
 */
export class DistributedSemaphore {
  readonly #storage: LeaseStorage;
  readonly #leaseMs: number;
  readonly #store: TicketStore;
  readonly #desk: TicketDesk;
  readonly #requests: SlotRequests;

  /**
   * Nothing is sent before the first call.
   *
   * @param storage Used as it is: somebody else connects it and disconnects it, after `destroy`.
   * @param ticketTtlSeconds The lease of a ticket: how long the slot of a dead process stays taken. Fractions allowed.
   * @throws RangeError when `ticketTtlSeconds` is not positive and finite.
   */
  constructor(
    storage: LeaseStorage,
    ticketTtlSeconds = 300,
    options: DistributedSemaphoreOptions = {},
  ) {
    assertTicketTtlSeconds(ticketTtlSeconds);
    const problem = optionProblem(options, OPTIONS, 'DistributedSemaphore');
    if (problem !== undefined) throw problem;
    const leaseMs = Math.ceil(ticketTtlSeconds * 1000);
    const processId = createProcessId();
    const store = openStore(storage, leaseMs);
    const onReleased = (key: string): void => this.#requests.wake(key);
    const desk = new TicketDesk({ ...options, store, processId, leaseMs, onReleased });
    this.#storage = storage;
    this.#leaseMs = leaseMs;
    this.#store = store;
    this.#desk = desk;
    this.#requests = new SlotRequests({ storage, store, desk, processId, leaseMs });
  }

  /**
   * Takes a slot of a key, waiting for one if need be.
   *
   * @param key Calls with one key share its slots. Any well-formed string.
   * @param maxConcurrent How many may hold a slot at once, a positive integer, as this call sees it: calls with other limits may
   * share the key.
   * @param queueTimeoutMs How long to wait, in milliseconds; 0 for not at all, Infinity for ever. The wait exceeds it by at most
   * one storage call.
   * @param name What the slot is for, in error messages.
   * @returns Null when every slot is taken and the wait is 0, and when the queue is full.
   * @throws QueueTimeoutError when it waited and no slot freed up. The reason of `options.signal` when that aborts first.
   * GuardStorageUnavailableError when the storage fails or is disconnected, or the semaphore is destroyed.
   * GuardStorageUnsupportedError when the storage cannot hold leases. RangeError or TypeError for an argument that cannot be.
   */
  acquire(
    key: string,
    maxConcurrent: number,
    queueTimeoutMs: number,
    name: string,
    options?: AcquireOptions,
  ): Promise<SemaphoreTicket | null> {
    const problem = optionProblem(options, ACQUIRE, 'acquire');
    if (problem !== undefined) return Promise.reject(problem);
    return this.#requests.acquire(
      requestOf(key, maxConcurrent, queueTimeoutMs, name, options),
      ticketOrNull,
    );
  }

  /**
   * {@link DistributedSemaphore.acquire} that says why there is no ticket: `full` (and the wait is 0), `queue-full`, or
   * `timeout` (it waited). Throws the same errors but `QueueTimeoutError`.
   */
  tryAcquire(
    key: string,
    maxConcurrent: number,
    options: TryAcquireOptions = {},
  ): Promise<TryAcquireResult> {
    const problem = optionProblem(options, TRY_ACQUIRE, 'tryAcquire');
    if (problem !== undefined) return Promise.reject(problem);
    const { queueTimeoutMs = 0, name = key } = options;
    return this.#requests.acquire(
      requestOf(key, maxConcurrent, queueTimeoutMs, name, options),
      ticketOrReason,
    );
  }

  /**
   * One try on a key as a step of the storage's `executeTogether`, for callers that take several steps in one round trip.
   * The lease of its ticket counts from this call.
   *
   * @param name What the slot is for, in error messages; the key by default.
   * @throws GuardStorageUnsupportedError when the storage has no `executeTogether`. GuardStorageUnavailableError after
   * `destroy`. RangeError when `maxConcurrent` is not a positive integer, TypeError for a key that cannot be.
   */
  planAcquire(key: string, maxConcurrent: number, name: string = key): AcquirePlan {
    assertStorageKey(key);
    assertMaxConcurrent(maxConcurrent);
    this.#requests.assertAlive();
    if (this.#store.poll === undefined || this.#storage.executeTogether === undefined) {
      throw new GuardStorageUnsupportedError('The storage has no executeTogether');
    }
    const id = this.#desk.nextId();
    const sentMs = monotonicNow();
    const args = tryArgs(id, maxConcurrent, this.#leaseMs);
    const isAdmitted = (result: unknown): boolean => (result as AcquireReply).status === 'granted';
    const pin = this.#store.pinHere?.();
    return {
      call: atomicCall(acquireOperation, `${key}:${SEMAPHORE_KIND}`, args),
      isAdmitted,
      settle: (result) => {
        if (!isAdmitted(result)) return undefined;
        pin?.(id);
        if (this.#requests.isDestroyed) this.#requests.giveUp(key, id, destroyed());
        return this.#desk.issue(id, key, name, sentMs);
      },
      abandon: () => {
        pin?.(id);
        this.#desk.withdraw(key, id, true);
      },
    };
  }

  /**
   * The number of taken slots; 0 for a key that nobody uses. A slot whose lease has ended does not count. Looks, and changes
   * nothing.
   */
  async getActiveCount(key: string): Promise<number> {
    assertStorageKey(key);
    const { active } = await this.#store.inspect(key, false);
    return active;
  }

  /**
   * Who holds a slot of the key, and how many wait; nobody for a key that is not used. Ages and leases in milliseconds, on the
   * storage's clock. Looks, and changes nothing.
   */
  async inspect(key: string): Promise<SemaphoreInspection> {
    assertStorageKey(key);
    const { holders, queueLength } = await this.#store.inspect(key, true);
    return { holders, queueLength };
  }

  /**
   * Frees every slot of exactly this key, and hands them to waiters. Tickets that held one learn of it at their next
   * renewal: their signal aborts, and their release answers false.
   */
  async forceReset(key: string): Promise<void> {
    assertStorageKey(key);
    await this.#store.reset(key);
    this.#requests.wake(key);
  }

  /**
   * Ends the semaphore: waiting and later calls reject with `GuardStorageUnavailableError` at once, no lease is renewed any
   * more, the subscription ends. Tickets that are held can still be released, and their signals abort when their leases end.
   * Resolves when nothing of those that waited is left in the storage and what is being released is, or after two seconds if it
   * does not answer. Calling it again does nothing.
   */
  async destroy(): Promise<void> {
    this.#desk.stop();
    await Promise.all([this.#requests.destroy(), this.#desk.settled()]);
  }
}

function requestOf(
  key: string,
  max: number,
  queueTimeoutMs: number,
  name: string,
  options: AcquireOptions | undefined,
): SlotRequest {
  const maxQueue = options?.maxQueue ?? Infinity;
  return { key, name, max, maxQueue, queueTimeoutMs, signal: options?.signal };
}

function ticketOrNull(
  outcome: Ticket | AcquireRefusal,
  { name, queueTimeoutMs }: SlotRequest,
): SemaphoreTicket | null {
  if (outcome === 'timeout') throw new QueueTimeoutError(name, queueTimeoutMs);
  return typeof outcome === 'string' ? null : outcome;
}

function ticketOrReason(outcome: Ticket | AcquireRefusal): TryAcquireResult {
  return typeof outcome === 'string'
    ? { acquired: false, reason: outcome }
    : { acquired: true, ticket: outcome };
}
