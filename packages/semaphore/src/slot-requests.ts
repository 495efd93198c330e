import {
  assertStorageKey,
  GuardStorageUnavailableError,
  type LeaseStorage,
} from '@frontmcp/guard-core';

import { assertMaxConcurrent, assertMaxQueue, assertQueueTimeoutMs } from './assert-arguments.js';
import { DeadlineWatch } from './deadline-watch.js';
import { HandOverQueue } from './hand-over-queue.js';
import { LocalQueue } from './local-queue.js';
import { tryArgs } from './operations/acquire.js';
import type { AcquireOptions } from './semaphore-options.js';
import type { TicketDesk } from './ticket-desk.js';
import type { TicketStore } from './ticket-store.js';
import type { Ticket } from './ticket.js';
import { monotonicNow } from './timers.js';
import { Wait, type AcquireRefusal, type WaitRequest } from './wait.js';

/** What {@link SlotRequests} need. */
export interface SlotRequestsOptions {
  readonly storage: LeaseStorage;
  readonly store: TicketStore;
  readonly desk: TicketDesk;
  readonly processId: string;
  readonly leaseMs: number;
}

/** Makes what the caller gets of the outcome of an acquire. */
export type Finish<T> = (
  outcome: Ticket | AcquireRefusal,
  name: string,
  queueTimeoutMs: number,
) => T;

/** The acquires of a semaphore: at once where a slot is free, else by a wait in a queue. */
export class SlotRequests {
  readonly #storage: LeaseStorage;
  readonly #store: TicketStore;
  readonly #desk: TicketDesk;
  readonly #local: LocalQueue;
  readonly #handOver: HandOverQueue | undefined;
  readonly #leaseMs: number;
  readonly #watch = new DeadlineWatch();
  readonly #waits = new Set<Wait>();
  #isDestroyed = false;

  constructor({ storage, store, desk, processId, leaseMs }: SlotRequestsOptions) {
    this.#storage = storage;
    this.#store = store;
    this.#desk = desk;
    this.#leaseMs = leaseMs;
    this.#local = new LocalQueue({ storage, store, desk, leaseMs });
    const poll = store.poll?.bind(store);
    this.#handOver = poll && new HandOverQueue({ storage, store, poll, desk, processId, leaseMs });
  }

  get isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  /** @throws GuardStorageUnavailableError after `destroy`. */
  assertAlive(): void {
    if (this.#isDestroyed) throw destroyed();
  }

  /** A slot of the key may be free. */
  wake(key: string): void {
    this.#local.wake(key);
  }

  /** Ends all waits. Resolves when no queue has anything open. */
  async destroy(): Promise<void> {
    this.#isDestroyed = true;
    this.#watch.stop();
    for (const wait of [...this.#waits]) wait.fail(destroyed());
    await Promise.all([this.#local.close(), this.#handOver?.close()]);
  }

  /** Takes a slot, or waits for one. Rejects with what `DistributedSemaphore.acquire` does. */
  acquire<T>(
    key: string,
    max: number,
    queueTimeoutMs: number,
    name: string,
    options: AcquireOptions | undefined,
    finish: Finish<T>,
  ): Promise<T> {
    return this.#store.acquireNow === undefined
      ? this.#ask(key, max, queueTimeoutMs, name, options, finish)
      : this.#answer(key, max, queueTimeoutMs, name, options, finish);
  }

  /** On a store that answers at once, only who has to wait needs more than one promise. */
  async #answer<T>(
    key: string,
    max: number,
    queueTimeoutMs: number,
    name: string,
    options: AcquireOptions | undefined,
    finish: Finish<T>,
  ): Promise<T> {
    this.#assertRequest(key, max, queueTimeoutMs, options);
    if (!this.#local.has(key)) {
      const ticket = this.#take(key, max, name);
      if (ticket !== undefined) return finish(ticket, name, queueTimeoutMs);
      if (queueTimeoutMs === 0) return finish('full', name, 0);
    }
    return this.#queue(key, max, queueTimeoutMs, name, options, finish);
  }

  /** A ticket, where one is free at once. */
  #take(key: string, max: number, name: string): Ticket | undefined {
    const id = this.#desk.nextId();
    const sentMs = monotonicNow();
    const reply = this.#store.acquireNow?.(key, tryArgs(id, max, this.#leaseMs));
    return reply?.status === 'granted' ? this.#desk.issue(id, key, name, sentMs) : undefined;
  }

  /** Not an async function, nor is what it calls: a promise more costs as much as taking the slot. */
  #ask<T>(
    key: string,
    max: number,
    queueTimeoutMs: number,
    name: string,
    options: AcquireOptions | undefined,
    finish: Finish<T>,
  ): Promise<T> {
    try {
      this.#assertRequest(key, max, queueTimeoutMs, options);
      if (queueTimeoutMs > 0 || options?.signal !== undefined || this.#local.has(key)) {
        return this.#queue(key, max, queueTimeoutMs, name, options, finish);
      }
      return this.#try(this.#desk.nextId(), key, max, name, finish);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #assertRequest(
    key: string,
    max: number,
    queueTimeoutMs: number,
    options: AcquireOptions | undefined,
  ): void {
    // That it is well-formed is for the store to check, on the way where every nanosecond counts.
    if (typeof key !== 'string') assertStorageKey(key);
    assertMaxConcurrent(max);
    assertQueueTimeoutMs(queueTimeoutMs);
    assertMaxQueue(options?.maxQueue ?? Infinity);
    this.assertAlive();
    options?.signal?.throwIfAborted();
  }

  #try<T>(id: string, key: string, max: number, name: string, finish: Finish<T>): Promise<T> {
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
  giveUp(key: string, id: string, error: unknown): never {
    assertStorageKey(key);
    this.#desk.withdrawAfter(error, key, id);
    throw error;
  }

  /** The same, for a call that is in flight until then. */
  #giveUpLate(key: string, id: string, error: unknown): never {
    try {
      this.giveUp(key, id, error);
    } finally {
      this.#desk.inFlight.end();
    }
  }

  #queue<T>(
    key: string,
    max: number,
    queueTimeoutMs: number,
    name: string,
    options: AcquireOptions | undefined,
    finish: Finish<T>,
  ): Promise<T> {
    const { signal, maxQueue = Infinity } = options ?? {};
    const id = this.#desk.nextId();
    const request = { id, key, name, max, maxQueue, queueTimeoutMs, signal };
    return this.#wait(request).then((outcome) => finish(outcome, name, queueTimeoutMs));
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

export function destroyed(): GuardStorageUnavailableError {
  return new GuardStorageUnavailableError('The semaphore was destroyed');
}
