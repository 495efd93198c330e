import {
  immediateOf,
  prepareOperation,
  type AtomicOperation,
  type AtomicState,
  type ImmediateOperation,
  type LeaseStorage,
  type PreparedOperation,
} from '@frontmcp/guard-core';

import { acquireOperation, type AcquireArgs, type AcquireReply } from './operations/acquire.js';
import { cancelOperation } from './operations/cancel.js';
import { inspectOperation, type InspectArgs, type InspectReply } from './operations/inspect.js';
import { pollOperation, type PollArgs, type PollReply } from './operations/poll.js';
import { releaseOperation, type ReleaseArgs } from './operations/release.js';
import { renewOperation, type RenewArgs } from './operations/renew.js';
import { resetOperation } from './operations/reset.js';
import type { TicketStore } from './ticket-store.js';

/** The kind of a semaphore's state: it lives under `<key>:sem`. */
export const SEMAPHORE_KIND = 'sem';

/** Slots and queue as one state per key, every step one atomic operation. */
export class AtomicStore implements TicketStore {
  readonly acquire: PreparedOperation<AcquireArgs, AcquireReply>;
  readonly acquireNow: ImmediateOperation<AcquireArgs, AcquireReply> | undefined;
  readonly releaseNow: ImmediateOperation<ReleaseArgs, boolean> | undefined;
  readonly #leaseMs: number;
  readonly #poll: PreparedOperation<PollArgs, PollReply>;
  readonly #renew: PreparedOperation<RenewArgs, readonly string[]>;
  readonly #release: PreparedOperation<ReleaseArgs, boolean>;
  readonly #cancel: PreparedOperation<ReleaseArgs, boolean>;
  readonly #inspect: PreparedOperation<InspectArgs, InspectReply>;
  readonly #reset: PreparedOperation<undefined, number>;

  /** @param storage With `execute`, which {@link isAtomic} tells. */
  constructor(storage: LeaseStorage, leaseMs: number) {
    this.#leaseMs = leaseMs;
    this.acquire = prepare(storage, acquireOperation);
    const immediate = immediateOf(storage);
    this.acquireNow = immediate?.prepare(acquireOperation, SEMAPHORE_KIND);
    this.releaseNow = immediate?.prepare(releaseOperation, SEMAPHORE_KIND);
    this.#renew = prepare(storage, renewOperation);
    this.#release = prepare(storage, releaseOperation);
    this.#cancel = prepare(storage, cancelOperation);
    this.#inspect = prepare(storage, inspectOperation);
    this.#reset = prepare(storage, resetOperation);
    this.#poll = prepare(storage, pollOperation);
  }

  /** Asks what became of waiters, see {@link pollOperation}. */
  poll(key: string, ids: readonly string[], isListening: boolean): Promise<PollReply> {
    return this.#poll(key, { ids, leaseMs: this.#leaseMs, isListening });
  }

  renew(key: string, ids: readonly string[]): Promise<readonly string[]> {
    return this.#renew(key, { ids, leaseMs: this.#leaseMs });
  }

  release(key: string, id: string): Promise<boolean> {
    return this.#release(key, { id });
  }

  cancel(key: string, id: string): Promise<boolean> {
    return this.#cancel(key, { id });
  }

  inspect(key: string, list: boolean): Promise<InspectReply> {
    return this.#inspect(key, { list });
  }

  async reset(key: string): Promise<void> {
    await this.#reset(key, undefined);
  }
}

/** Whether a storage can run the steps of an {@link AtomicStore}. */
export function isAtomic(storage: LeaseStorage): boolean {
  return storage.prepare !== undefined || storage.execute !== undefined;
}

function prepare<S extends AtomicState, A, R>(
  storage: LeaseStorage,
  operation: AtomicOperation<S, A, R>,
): PreparedOperation<A, R> {
  const prepared = prepareOperation(storage, operation, SEMAPHORE_KIND);
  if (prepared === undefined) throw new TypeError('The storage has no atomic part');
  return prepared;
}
