import type { LeaseStorage, StorageAdapter } from '@frontmcp/guard-core';

import { isAtomic } from './atomic-store.js';
import { openStore } from './open-store.js';
import type { AcquireArgs, AcquireReply } from './operations/acquire.js';
import type { InspectReply } from './operations/inspect.js';
import type { PollReply } from './operations/poll.js';
import type { TicketStore } from './ticket-store.js';

/** One of the stores that a changing storage uses. */
interface Place {
  readonly number: number;
  readonly store: TicketStore;
}

/**
 * Slots in a storage that may go to another store while this one is down: a ticket is renewed and released on the store
 * that granted it, whichever is in use by then. What is not about a ticket goes to the store in use.
 */
export class PinnedStore implements TicketStore {
  readonly poll: TicketStore['poll'];
  readonly #current: () => StorageAdapter;
  readonly #leaseMs: number;
  readonly #places = new WeakMap<StorageAdapter, Place>();
  #placeCount = 0;
  /** Where each ticket is, from before it is asked for until nothing is asked of it any more. */
  readonly #placeOf = new Map<string, Place>();

  constructor(storage: LeaseStorage, current: () => StorageAdapter, leaseMs: number) {
    this.#current = current;
    this.#leaseMs = leaseMs;
    this.poll = isAtomic(storage) ? this.#poll.bind(this) : undefined;
  }

  /** Asks the store in use. A ticket is asked for in one store only, see {@link PinnedStore.hasMoved}. */
  async acquire(key: string, args: AcquireArgs): Promise<AcquireReply> {
    const { store } = this.#pin(args.id);
    const reply = await store.acquire(key, args);
    if (reply.status !== 'granted' && reply.status !== 'queued') this.#placeOf.delete(args.id);
    return reply;
  }

  hasMoved(id: string): boolean {
    const place = this.#placeOf.get(id);
    return place !== undefined && place !== this.#inUse();
  }

  assertMax(max: number): void {
    this.#inUse().store.assertMax?.(max);
  }

  /** @param ids All of one {@link PinnedStore.groupOf}. */
  renew(key: string, ids: readonly string[]): Promise<readonly string[]> {
    return this.#placeOfTicket(ids[0]).store.renew(key, ids);
  }

  groupOf(key: string, id: string): string {
    return `${String(this.#placeOfTicket(id).number)}:${key}`;
  }

  async release(key: string, id: string): Promise<boolean> {
    const wasHeld = await this.#placeOfTicket(id).store.release(key, id);
    this.#placeOf.delete(id);
    return wasHeld;
  }

  cancel(key: string, id: string): Promise<boolean> {
    return this.#placeOfTicket(id).store.cancel(key, id);
  }

  forget(id: string): void {
    this.#placeOf.get(id)?.store.forget?.(id);
    this.#placeOf.delete(id);
  }

  inspect(key: string, list: boolean): Promise<InspectReply> {
    return this.#inUse().store.inspect(key, list);
  }

  reset(key: string): Promise<void> {
    return this.#inUse().store.reset(key);
  }

  pinHere(): (id: string) => void {
    const place = this.#inUse();
    return (id) => this.#placeOf.set(id, place);
  }

  async #poll(key: string, ids: readonly string[], isListening: boolean): Promise<PollReply> {
    const { store } = this.#inUse();
    if (store.poll === undefined) throw new TypeError('The store in use has no queue');
    return store.poll(key, ids, isListening);
  }

  #pin(id: string): Place {
    const place = this.#inUse();
    this.#placeOf.set(id, place);
    return place;
  }

  #placeOfTicket(id: string | undefined): Place {
    return (id === undefined ? undefined : this.#placeOf.get(id)) ?? this.#inUse();
  }

  #inUse(): Place {
    const storage = this.#current();
    const known = this.#places.get(storage);
    if (known !== undefined) return known;
    const place = { number: this.#placeCount++, store: openStore(storage, this.#leaseMs) };
    this.#places.set(storage, place);
    return place;
  }
}
