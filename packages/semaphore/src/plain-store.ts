import { assertStorageKey, type CompareStorage, type LeaseStorage } from '@frontmcp/guard-core';

import { assertPlainSlots } from './assert-arguments.js';
import { channelOfKey } from './local-queue.js';
import type { AcquireArgs, AcquireReply } from './operations/acquire.js';
import type { InspectReply } from './operations/inspect.js';
import { largerExtent, parseExtent, printExtent, type Extent } from './plain-extent.js';
import type { TicketStore } from './ticket-store.js';

/** A storage with which a plain store can work. */
export type ComparingStorage = LeaseStorage & CompareStorage;

/** Whether a storage can touch a slot only when it still holds the same ticket. */
export function isComparing(storage: LeaseStorage): storage is ComparingStorage {
  return storage.compareAndDelete !== undefined && storage.compareAndExpire !== undefined;
}

/**
 * Slots as one key each, `<key>:sem:<index>`, that holds the id of its ticket and expires with the lease.
 *
 * A slot is claimed by a write-if-absent, so that two tickets never share one. How far the indexes of a key reach stands in
 * `<key>:sem:extent`: slots beyond a smaller limit still count against it. That count and the claim are two calls, so that
 * while two limits are in use on one key, the smaller one may be exceeded by claims at the same moment. The extent is there
 * before a slot is claimed, and no smaller one takes its place. While it is raised it is absent for one call; a process
 * that dies in between leaves it to the next renewal of a slot.
 */
export class PlainStore implements TicketStore {
  readonly #storage: ComparingStorage;
  readonly #leaseMs: number;
  /** The slot that each ticket of this process claimed, or may have claimed. */
  readonly #claims = new Map<string, number>();

  constructor(storage: ComparingStorage, leaseMs: number) {
    this.#storage = storage;
    this.#leaseMs = leaseMs;
  }

  async acquire(key: string, { id, max }: AcquireArgs): Promise<AcquireReply> {
    assertStorageKey(key);
    this.assertMax(max);
    const earlier = this.#claims.get(id);
    if (earlier !== undefined && (await this.#renewOne(key, id))) return { status: 'granted' };
    this.#claims.delete(id);
    const [extent, slots] = await this.#read(key, max);
    const taken = slots.filter((ticket) => ticket !== null).length;
    if (taken >= max) return { status: 'full' };
    await this.#extend(key, extent, { slots: max, leaseMs: this.#leaseMs });
    // An earlier claim of the same slot fails once this one has it, should it land only then.
    const start = earlier ?? Math.floor(Math.random() * max);
    for (let step = 0; step < max; step++) {
      const index = (start + step) % max;
      if (slots[index] !== null) continue;
      if (await this.#claim(key, index, id)) return { status: 'granted' };
    }
    return { status: 'full' };
  }

  assertMax(max: number): void {
    assertPlainSlots(max);
  }

  async renew(key: string, ids: readonly string[]): Promise<readonly string[]> {
    const slots = Math.max(...ids.map((id) => this.#claims.get(id) ?? 0)) + 1;
    const [text = null] = await this.#storage.mget([extentKey(key)]);
    await this.#extend(key, text, { slots, leaseMs: this.#leaseMs });
    const renewed = await Promise.all(ids.map((id) => this.#renewOne(key, id)));
    return ids.filter((_, index) => renewed[index] !== true);
  }

  async release(key: string, id: string): Promise<boolean> {
    const wasHeld = await this.cancel(key, id);
    this.#claims.delete(id);
    return wasHeld;
  }

  /** Remembers the claim until {@link PlainStore.forget}, because it may take effect later. */
  async cancel(key: string, id: string): Promise<boolean> {
    const index = this.#claims.get(id);
    if (index === undefined) return false;
    const wasHeld = await this.#storage.compareAndDelete(slotKey(key, index), id);
    if (wasHeld) await this.#announce(key);
    return wasHeld;
  }

  forget(id: string): void {
    this.#claims.delete(id);
  }

  async inspect(key: string): Promise<InspectReply> {
    const [, slots] = await this.#read(key, 0);
    const holders = slots.filter((id) => id !== null).map((ticketId) => ({ ticketId }));
    return { active: holders.length, queueLength: 0, holders };
  }

  async reset(key: string): Promise<void> {
    const [, slots] = await this.#read(key, 0);
    await this.#storage.mdelete(slots.map((_, index) => slotKey(key, index)));
    await this.#announce(key);
  }

  /** What stands for the extent of a key, and the tickets in its slots, at least `atLeast` of them. */
  async #read(key: string, atLeast: number): Promise<[string | null, (string | null)[]]> {
    const names = [extentKey(key), ...slotKeys(key, 0, atLeast)];
    const [text = null, ...slots] = await this.#storage.mget(names);
    const reach = parseExtent(text)?.slots ?? 0;
    if (reach <= atLeast) return [text, slots];
    const more = await this.#storage.mget(slotKeys(key, atLeast, reach));
    return [text, [...slots, ...more]];
  }

  /** Makes sure that the extent covers `wanted` and outlives its lease. Whatever stands for it is only ever raised. */
  async #extend(key: string, text: string | null, wanted: Extent): Promise<void> {
    const name = extentKey(key);
    let current = text;
    let extent = wanted;
    for (;;) {
      extent = largerExtent(parseExtent(current), extent);
      if (await this.#replace(name, current, extent)) return;
      [current = null] = await this.#storage.mget([name]);
    }
  }

  /** @returns False when something else than `current` stands there. */
  async #replace(name: string, current: string | null, extent: Extent): Promise<boolean> {
    const ttlMs = extent.leaseMs * 2;
    const text = printExtent(extent);
    if (current === text) return this.#storage.compareAndExpire(name, text, ttlMs / 1000);
    if (current !== null && !(await this.#storage.compareAndDelete(name, current))) return false;
    return this.#storage.set(name, text, { ttlMs, ifNotExists: true });
  }

  async #claim(key: string, index: number, id: string): Promise<boolean> {
    this.#claims.set(id, index);
    const options = { ifNotExists: true, ttlMs: this.#leaseMs };
    const isClaimed = await this.#storage.set(slotKey(key, index), id, options);
    if (!isClaimed) this.#claims.delete(id);
    return isClaimed;
  }

  #renewOne(key: string, id: string): Promise<boolean> {
    const index = this.#claims.get(id);
    if (index === undefined) return Promise.resolve(false);
    return this.#storage.compareAndExpire(slotKey(key, index), id, this.#leaseMs / 1000);
  }

  /** Waiters of other processes that miss this ask again within a second. */
  async #announce(key: string): Promise<void> {
    if (!this.#storage.supportsPubSub()) return;
    await this.#storage.publish(channelOfKey(key), '').catch(() => 0);
  }
}

function slotKey(key: string, index: number): string {
  return `${key}:sem:${index}`;
}

function slotKeys(key: string, from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, offset) => slotKey(key, from + offset));
}

function extentKey(key: string): string {
  return `${key}:sem:extent`;
}
