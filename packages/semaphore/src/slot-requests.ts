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

/** What an acquire asks for. */
export type SlotRequest = Omit<WaitRequest, 'id'>;

/** Makes what the caller gets of the outcome of an acquire. */
export type Finish<T> = (outcome: Ticket | AcquireRefusal, request: SlotRequest) => T;

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
  acquire<T>(request: SlotRequest, finish: Finish<T>): Promise<T> {
    return this.#store.acquireNow === undefined
      ? this.#ask(request, finish)
      : this.#answer(request, finish);
  }

  /** On a store that answers at once, only who has to wait needs more than one promise. */
  async #answer<T>(request: SlotRequest, finish: Finish<T>): Promise<T> {
    this.#assertRequest(request);
    if (!this.#local.has(request.key)) {
      const ticket = this.#take(request);
      if (ticket !== undefined) return finish(ticket, request);
      if (request.queueTimeoutMs === 0) return finish('full', request);
    }
    return this.#queue(request, finish);
  }

  /** A ticket, where one is free at once. */
  #take({ key, max, name }: SlotRequest): Ticket | undefined {
    const id = this.#desk.nextId();
    const sentMs = monotonicNow();
    const reply = this.#store.acquireNow?.(key, tryArgs(id, max, this.#leaseMs));
    return reply?.status === 'granted' ? this.#desk.issue(id, key, name, sentMs) : undefined;
  }

  /** Not an async function, nor is what it calls: a promise more costs as much as taking the slot. */
  #ask<T>(request: SlotRequest, finish: Finish<T>): Promise<T> {
    try {
      this.#assertRequest(request);
      const { key, queueTimeoutMs, signal } = request;
      if (queueTimeoutMs > 0 || signal !== undefined || this.#local.has(key)) {
        return this.#queue(request, finish);
      }
      return this.#try(this.#desk.nextId(), request, finish);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #assertRequest({ key, max, queueTimeoutMs, maxQueue, signal }: SlotRequest): void {
    // That it is well-formed is for the store to check, on the way where every nanosecond counts.
    if (typeof key !== 'string') assertStorageKey(key);
    assertMaxConcurrent(max);
    assertQueueTimeoutMs(queueTimeoutMs);
    assertMaxQueue(maxQueue);
    this.assertAlive();
    signal?.throwIfAborted();
  }

  #try<T>(id: string, request: SlotRequest, finish: Finish<T>): Promise<T> {
    const { key, max, name } = request;
    const sentMs = monotonicNow();
    const { inFlight } = this.#desk;
    const asked = this.#store.acquire(key, tryArgs(id, max, this.#leaseMs));
    inFlight.start();
    return asked.then(
      ({ status }) => {
        if (this.#isDestroyed) this.#giveUpLate(key, id, destroyed());
        inFlight.end();
        if (status !== 'granted') return finish('full', request);
        return finish(this.#desk.issue(id, key, name, sentMs), request);
      },
      (error: unknown) => {
        const hasMoved = this.#store.hasMoved?.(id) === true;
        if (!hasMoved || this.#isDestroyed) return this.#giveUpLate(key, id, error);
        this.#desk.withdrawAfter(error, key, id);
        inFlight.end();
        return this.#try(this.#desk.nextId(), request, finish);
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

  #queue<T>(request: SlotRequest, finish: Finish<T>): Promise<T> {
    return this.#wait({ ...request, id: this.#desk.nextId() }).then((outcome) =>
      finish(outcome, request),
    );
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
