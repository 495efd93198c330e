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

/** What a {@link FallibleStorage} is built of. */
export interface FallibleStorageOptions extends Pick<
  StorageHealthOptions,
  'probeIntervalMs' | 'onDown' | 'onUp'
> {
  /** Whether a part of the store that is down leaves the others up, where the store knows its parts. */
  readonly byPart: boolean;
}

/**
 * A store that is known to be up or down, or part by part: while it is down, its calls are not sent and fail at once.
 */
export class FallibleStorage {
  readonly health: StorageHealth;
  /** The store, its calls watched. */
  readonly adapter: StorageAdapter;
  readonly #storage: StorageAdapter;
  readonly #subscriptions: KeptSubscriptions;
  readonly #hasParts: boolean;
  #closed = false;

  constructor(storage: StorageAdapter, { byPart, ...options }: FallibleStorageOptions) {
    const partOf = byPart ? storage.partOf : undefined;
    this.#storage = storage;
    this.#subscriptions = new KeptSubscriptions(storage);
    this.#hasParts = partOf !== undefined;
    this.health = new StorageHealth({ ...options, probe: (key) => this.#probe(key), partOf });
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
    return aroundCalls([store], (call, run, key) => this.#watch(call, () => run(store), key), {
      epoch: () => store.epoch,
      connect: () => this.#connect(),
      disconnect: () => this.#disconnect(),
      ping: () => store.ping(),
      subscribe: (channel, handler) =>
        this.#watch('subscribe', () => this.#subscriptions.add(channel, handler)),
      ...part,
    });
  }

  #watch<T>(call: string, run: () => Promise<T>, key?: string): Promise<T> {
    if (this.#closed) return Promise.reject(disconnected('Storage'));
    const available = this.health.available(key);
    // The way of every check while all is well: as few promises as can be.
    return available === true
      ? this.#noteFailure(call, run, key)
      : this.#watchOnce(available, call, run, key);
  }

  async #watchOnce<T>(
    available: false | Promise<boolean>,
    call: string,
    run: () => Promise<T>,
    key: string | undefined,
  ): Promise<T> {
    if (await available) return this.#noteFailure(call, run, key);
    throw new GuardStorageUnavailableError(`Storage is down: ${call} was not sent`, {
      wasSent: false,
      cause: this.health.cause(key),
    });
  }

  #noteFailure<T>(call: string, run: () => Promise<T>, key: string | undefined): Promise<T> {
    const seenChanges = this.health.changes;
    return start(run).catch((error: unknown) => {
      const failure = toStorageFailure(error, call);
      if (isOutage(failure) && !this.#closed) this.health.failed(failure, key, seenChanges);
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

  async #probe(key: string | undefined): Promise<boolean> {
    try {
      await this.#storage.connect();
      if (!(await this.#answers(key))) return false;
      const renewed = this.#subscriptions.renew();
      // Subscriptions may be on another part, which says nothing of this one.
      await (this.#hasParts ? renewed.catch(() => undefined) : renewed);
      return true;
    } catch {
      // The outage holds the cause that matters, the first one.
      return false;
    }
  }

  /** Any answer about a key will do, such as that it holds no plain value. */
  async #answers(key: string | undefined): Promise<boolean> {
    if (key === undefined || this.#storage.partOf === undefined) return this.#storage.ping();
    return this.#storage.get(key).then(
      () => true,
      (error: unknown) => !isOutage(toStorageFailure(error, 'get')),
    );
  }
}
