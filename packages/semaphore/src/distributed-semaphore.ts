import {
  assertStorageKey,
  atomicCall,
  GuardStorageUnavailableError,
  GuardStorageUnsupportedError,
  type LeaseStorage,
} from '@frontmcp/guard-core';

import {
  assertMaxConcurrent,
  assertMaxQueue,
  assertQueueTimeoutMs,
  assertTicketTtlSeconds,
} from './assert-arguments.js';
import { SEMAPHORE_KIND } from './atomic-store.js';
import { DeadlineWatch } from './deadline-watch.js';
import { QueueTimeoutError } from './errors/queue-timeout-error.js';
import { HandOverQueue } from './hand-over-queue.js';
import { LocalQueue } from './local-queue.js';
import { openStore } from './open-store.js';
import { acquireOperation, tryArgs, type AcquireReply } from './operations/acquire.js';
import { createProcessId } from './process-id.js';
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
import { Wait, type AcquireRefusal, type WaitRequest } from './wait.js';

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
  readonly #local: LocalQueue;
  readonly #handOver: HandOverQueue | undefined;
  readonly #watch = new DeadlineWatch();
  readonly #waits = new Set<Wait>();
  #isDestroyed = false;

  /**
   * @param ticketTtlSeconds The lease of a ticket: how long the slot of a dead process stays taken.
   * @throws RangeError when `ticketTtlSeconds` is not positive and finite.
   */
  constructor(
    storage: LeaseStorage,
    ticketTtlSeconds = 300,
    options: DistributedSemaphoreOptions = {},
  ) {
    assertTicketTtlSeconds(ticketTtlSeconds);
    const leaseMs = Math.ceil(ticketTtlSeconds * 1000);
    const processId = createProcessId();
    const store = openStore(storage, leaseMs);
    const onReleased = (key: string): void => this.#local.wake(key);
    const desk = new TicketDesk({ ...options, store, processId, leaseMs, onReleased });
    this.#storage = storage;
    this.#leaseMs = leaseMs;
    this.#store = store;
    this.#desk = desk;
    this.#local = new LocalQueue({ storage, store, desk, leaseMs });
    this.#handOver =
      store.poll === undefined
        ? undefined
        : new HandOverQueue({
            storage,
            store,
            poll: store.poll.bind(store),
            desk,
            processId,
            leaseMs,
          });
  }

  /**
   * Takes a slot of a key, waiting for one if need be.
   *
   * @param key Calls with one key share its slots.
   * @param maxConcurrent How many may hold a slot at once, as this call sees it: calls with other limits may share the key.
   * @param queueTimeoutMs How long to wait, in milliseconds; 0 for not at all, Infinity for ever. The wait exceeds it by
   * at most one storage call.
   * @param name What the slot is for, in error messages.
   * @returns Null when every slot is taken and the wait is 0, and when the queue is full.
   * @throws QueueTimeoutError when it waited and no slot freed up. The reason of `options.signal` when that aborts first.
   * GuardStorageUnavailableError when the storage fails or is disconnected, or the semaphore is destroyed. GuardStorageUnsupportedError when
   * the storage cannot hold leases. RangeError or TypeError for an argument that cannot be.
   */
  acquire(
    key: string,
    maxConcurrent: number,
    queueTimeoutMs: number,
    name: string,
    options?: AcquireOptions,
  ): Promise<SemaphoreTicket | null> {
    return this.#acquire(key, maxConcurrent, queueTimeoutMs, name, options, ticketOrNull);
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
    const { queueTimeoutMs = 0, name = key } = options;
    return this.#acquire(key, maxConcurrent, queueTimeoutMs, name, options, ticketOrReason);
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
    this.#assertAlive();
    if (this.#handOver === undefined || this.#storage.executeTogether === undefined) {
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
        if (this.#isDestroyed) this.#giveUp(key, id, destroyed());
        return this.#desk.issue(id, key, name, sentMs);
      },
      abandon: () => {
        pin?.(id);
        this.#desk.withdraw(key, id, true);
      },
    };
  }

  /** The number of taken slots. A slot whose lease has ended does not count. */
  async getActiveCount(key: string): Promise<number> {
    assertStorageKey(key);
    const { active } = await this.#store.inspect(key, false);
    return active;
  }

  /** Who holds a slot of the key, and how many wait. Ages and leases in milliseconds, on the storage's clock. */
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
    this.#local.wake(key);
  }

  /**
   * Ends the semaphore: waiting and later calls reject with `GuardStorageUnavailableError` at once, no lease is renewed any
   * more, the subscription ends. Tickets that are held can still be released, and their signals abort when their leases end.
   * Resolves when nothing of those that waited is left in the storage, or after two seconds if it does not answer. Calling it
   * again does nothing.
   */
  async destroy(): Promise<void> {
    this.#isDestroyed = true;
    this.#desk.stop();
    this.#watch.stop();
    for (const wait of [...this.#waits]) wait.fail(destroyed());
    await Promise.all([this.#local.close(), this.#handOver?.close(), this.#desk.settled()]);
  }

  /** Not an async function, nor is what it calls: a promise more costs as much as taking the slot. */
  #acquire<T>(
    key: string,
    max: number,
    queueTimeoutMs: number,
    name: string,
    options: AcquireOptions | undefined,
    finish: (outcome: Ticket | AcquireRefusal, name: string, queueTimeoutMs: number) => T,
  ): Promise<T> {
    try {
      const signal = options?.signal;
      const maxQueue = options?.maxQueue ?? Infinity;
      // That it is well-formed is for the store to check, on the way where every nanosecond counts.
      if (typeof key !== 'string') assertStorageKey(key);
      assertMaxConcurrent(max);
      assertQueueTimeoutMs(queueTimeoutMs);
      assertMaxQueue(maxQueue);
      this.#assertAlive();
      signal?.throwIfAborted();
      const id = this.#desk.nextId();
      if (queueTimeoutMs > 0 || signal !== undefined || this.#local.has(key)) {
        const request = { id, key, name, max, maxQueue, queueTimeoutMs, signal };
        return this.#wait(request).then((outcome) => finish(outcome, name, queueTimeoutMs));
      }
      return this.#try(id, key, max, name, finish);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #try<T>(
    id: string,
    key: string,
    max: number,
    name: string,
    finish: (outcome: Ticket | AcquireRefusal, name: string, queueTimeoutMs: number) => T,
  ): Promise<T> {
    const sentMs = monotonicNow();
    const { inFlight } = this.#desk;
    const asked = this.#store.acquire(key, tryArgs(id, max, this.#leaseMs));
    inFlight.start();
    return asked.then(
      ({ status }) => {
        if (this.#isDestroyed) this.#giveUpLate(key, id, destroyed());
        inFlight.end();
        if (status !== 'granted') return finish('full', name, 0);
        return finish(this.#desk.issue(id, key, name, sentMs), name, 0);
      },
      (error: unknown) => {
        const hasMoved = this.#store.hasMoved?.(id) === true;
        if (!hasMoved || this.#isDestroyed) return this.#giveUpLate(key, id, error);
        this.#desk.withdrawAfter(error, key, id);
        inFlight.end();
        return this.#try(this.#desk.nextId(), key, max, name, finish);
      },
    );
  }

  /** Takes back what a try that failed may have taken. */
  #giveUp(key: string, id: string, error: unknown): never {
    assertStorageKey(key);
    this.#desk.withdrawAfter(error, key, id);
    throw error;
  }

  /** The same, for a call that is in flight until then. */
  #giveUpLate(key: string, id: string, error: unknown): never {
    try {
      this.#giveUp(key, id, error);
    } finally {
      this.#desk.inFlight.end();
    }
  }

  #assertAlive(): void {
    if (this.#isDestroyed) throw destroyed();
  }

  #wait(request: WaitRequest): Promise<Ticket | AcquireRefusal> {
    assertStorageKey(request.key);
    this.#store.assertMax?.(request.max);
    const queue =
      this.#handOver !== undefined && this.#storage.supportsPubSub() ? this.#handOver : this.#local;
    const wait = new Wait(request, () => {
      this.#waits.delete(wait);
      this.#watch.remove(wait);
      queue.leave(wait);
    });
    this.#waits.add(wait);
    if (request.queueTimeoutMs > 0) this.#watch.add(wait);
    queue.enter(wait);
    return wait.promise;
  }
}

function ticketOrNull(
  outcome: Ticket | AcquireRefusal,
  name: string,
  queueTimeoutMs: number,
): SemaphoreTicket | null {
  if (outcome === 'timeout') throw new QueueTimeoutError(name, queueTimeoutMs);
  return typeof outcome === 'string' ? null : outcome;
}

function ticketOrReason(outcome: Ticket | AcquireRefusal): TryAcquireResult {
  return typeof outcome === 'string'
    ? { acquired: false, reason: outcome }
    : { acquired: true, ticket: outcome };
}

function destroyed(): GuardStorageUnavailableError {
  return new GuardStorageUnavailableError('The semaphore was destroyed');
}
