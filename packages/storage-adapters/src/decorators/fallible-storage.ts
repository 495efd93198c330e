import {
  GuardStorageUnavailableError,
  type MessageHandler,
  type StorageAdapter,
  type Unsubscribe,
} from '@frontmcp/guard-core';

import { disconnected } from '../disconnected.js';
import { aroundCalls, type OwnPart } from './around-calls.js';
import { followCurrent } from './follow-current.js';
import { KeptSubscriptions } from './kept-subscriptions.js';
import { StorageHealth, type StorageHealthOptions } from './storage-health.js';
import { start } from './start.js';
import { isOutage, toStorageFailure } from './storage-failure.js';

/** A store that is known to be up or down: while it is down, its calls are not sent and fail at once. */
export class FallibleStorage {
  readonly health: StorageHealth;
  /** The store, its calls watched. */
  readonly adapter: StorageAdapter;
  readonly #storage: StorageAdapter;
  readonly #subscriptions: KeptSubscriptions;
  #closed = false;

  constructor(storage: StorageAdapter, options: Omit<StorageHealthOptions, 'probe'>) {
    this.#storage = storage;
    this.#subscriptions = new KeptSubscriptions(storage);
    this.health = new StorageHealth({ ...options, probe: () => this.#probe() });
    const current = followCurrent(storage, (store) => this.#watched(store));
    this.adapter = this.#watched(storage, current && { current });
  }

  /** Like `subscribe`; while the store is down, the subscription is made once it is up. */
  async subscribeWhenUp(channel: string, handler: MessageHandler): Promise<Unsubscribe> {
    try {
      return await this.adapter.subscribe(channel, handler);
    } catch (error) {
      if (!isOutage(error)) throw error;
      this.#assertOpen();
      return this.#subscriptions.addLater(channel, handler);
    }
  }

  /** A store that this one uses, or this one itself. Connection and subscriptions are those of this one. */
  #watched(store: StorageAdapter, part?: Required<Pick<OwnPart, 'current'>>): StorageAdapter {
    return aroundCalls([store], (call, run) => this.#watch(call, () => run(store)), {
      epoch: () => store.epoch,
      connect: () => this.#connect(),
      disconnect: () => this.#disconnect(),
      ping: () => store.ping(),
      subscribe: (channel, handler) =>
        this.#watch('subscribe', () => this.#subscriptions.add(channel, handler)),
      ...part,
    });
  }

  #watch<T>(call: string, run: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(disconnected('Storage'));
    const available = this.health.available();
    // The way of every check while all is well: as few promises as can be.
    return available === true
      ? this.#noteFailure(call, run)
      : this.#watchOnce(available, call, run);
  }

  async #watchOnce<T>(
    available: false | Promise<boolean>,
    call: string,
    run: () => Promise<T>,
  ): Promise<T> {
    if (await available) return this.#noteFailure(call, run);
    throw new GuardStorageUnavailableError(`Storage is down: ${call} was not sent`, {
      wasSent: false,
      cause: this.health.cause,
    });
  }

  #noteFailure<T>(call: string, run: () => Promise<T>): Promise<T> {
    const seenChanges = this.health.changes;
    return start(run).catch((error: unknown) => {
      const failure = toStorageFailure(error, call);
      if (isOutage(failure) && !this.#closed) this.health.failed(failure, seenChanges);
      throw failure;
    });
  }

  #assertOpen(): void {
    if (this.#closed) throw disconnected('Storage');
  }

  async #connect(): Promise<void> {
    this.#closed = false;
    try {
      await this.#storage.connect();
    } catch (error) {
      throw toStorageFailure(error, 'connect');
    }
  }

  async #disconnect(): Promise<void> {
    this.#closed = true;
    this.health.reset();
    this.#subscriptions.clear();
    await this.#storage.disconnect();
  }

  async #probe(): Promise<boolean> {
    try {
      await this.#storage.connect();
      if (!(await this.#storage.ping())) return false;
      await this.#subscriptions.renew();
      return true;
    } catch {
      // The outage holds the cause that matters, the first one.
      return false;
    }
  }
}
