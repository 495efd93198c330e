import {
  assertStorageKey,
  type AtomicCall,
  type AtomicOperation,
  type AtomicState,
  type Decision,
} from '@frontmcp/guard-core';

import { disconnected } from '../disconnected.js';
import { GuardStorageFullError } from '../guard-storage-full-error.js';
import { ExpirySweeper, SLICE } from './expiry-sweeper.js';
import { KeySpace, nameOf, type KeyPlace, type KeyTable } from './key-space.js';
import { matchesGlob } from '../matches-glob.js';
import { PlainValue } from '../plain-value.js';

/** How many entries a new key looks through for expired ones, where there is room. */
const SWEEP_ON_INSERT = 2;
/** Below this many entries a new key looks through none: the sweeper's timer is soon enough. */
const SMALL = 64;

/**
 * Stands in the place of a key that a step deleted, until the sweeper comes by, in tables of up to {@link FEW} places. A
 * semaphore's key comes and goes with every slot, and a `Map` of a few entries is rebuilt every few times that one does.
 */
const DELETED: AtomicState = Object.freeze({ expiresAtMs: -Infinity });
const FEW = 16;

/** A step of several: where it is taken, and what it decided. */
interface DecidedStep {
  readonly place: KeyPlace;
  readonly decision: Decision<AtomicState, unknown>;
}

/** What an {@link EntryStore} is built of. */
export interface EntryStoreOptions {
  readonly maxEntries: number;
  readonly clock: () => number;
  /** Called when a new key is refused for want of room, for the first time since there was room. */
  readonly onFull: () => void;
}

/** The entries of a memory store: lookup, room, expiry, and the steps of atomic operations. Synchronous throughout. */
export class EntryStore {
  readonly space: KeySpace = new KeySpace();
  readonly clock: () => number;
  /** Whether calls are served: not between a disconnect and the next connect. */
  isOpen = true;
  readonly #maxEntries: number;
  readonly #onFull: () => void;
  readonly #sweeper: ExpirySweeper;
  #size = 0;
  #saidFull = false;

  constructor(options: EntryStoreOptions) {
    this.clock = options.clock;
    this.#maxEntries = options.maxEntries;
    this.#onFull = options.onFull;
    this.#sweeper = new ExpirySweeper(this.space, this.clock, (table, key) => {
      this.remove(table, key);
    });
  }

  /** Entries held, expired ones that are not given back yet included. */
  get size(): number {
    return this.#size;
  }

  /** @throws GuardStorageUnavailableError while the store is disconnected. */
  assertOpen(): void {
    if (!this.isOpen) throw disconnected('Memory storage');
  }

  find(table: KeyTable, key: string, now: number): AtomicState | undefined {
    const entry = table.entries.get(key);
    return entry !== undefined && entry.expiresAtMs > now ? entry : undefined;
  }

  put(table: KeyTable, key: string, entry: AtomicState): void {
    table.entries.set(key, entry);
    if (table.entries.size === 1) this.space.occupied.add(table);
    this.#size++;
    if (this.#size > SMALL) this.#sweeper.sweep(SWEEP_ON_INSERT);
    this.#sweeper.schedule();
  }

  remove(table: KeyTable, key: string): boolean {
    const removed = table.entries.delete(key);
    if (removed) this.#size--;
    return removed;
  }

  clear(): void {
    this.space.clear();
    this.#sweeper.stop();
    this.#size = 0;
  }

  /**
   * Makes sure that `count` new keys fit. Where they do not, it looks through the next thousand entries for expired ones, and
   * has the sweeper look through the rest. So one call looks at a thousand entries at most, and while some have expired, a store
   * of `n` entries refuses `n / 1000` single keys at most before it comes to them.
   *
   * @throws GuardStorageFullError when they do not.
   */
  reserve(count: number): void {
    if (this.#size + count <= this.#maxEntries) {
      this.#saidFull = false;
      return;
    }
    this.#sweeper.sweep(SLICE);
    if (this.#size + count <= this.#maxEntries) return;
    this.#sweeper.hurry(this.#size);
    if (!this.#saidFull) {
      this.#saidFull = true;
      this.#onFull();
    }
    throw new GuardStorageFullError(this.#maxEntries);
  }

  /** Makes sure that all these places can be written to, see {@link EntryStore.reserve}. */
  reserveFor(places: readonly KeyPlace[], now: number): void {
    const absent = new Set<string>();
    for (const { table, key } of places) {
      if (this.find(table, key, now) !== undefined) continue;
      this.remove(table, key);
      absent.add(nameOf(table, key));
    }
    if (absent.size > 0) this.reserve(absent.size);
  }

  /** The names of live entries that match a glob. */
  names(pattern: string): string[] {
    const now = this.clock();
    const names: string[] = [];
    for (const table of this.space.occupied) {
      for (const [key, entry] of table.entries) {
        const name = nameOf(table, key);
        if (entry.expiresAtMs > now && matchesGlob(pattern, name)) names.push(name);
      }
    }
    return names;
  }

  /** Decides one step and commits it. A key that is held has been checked before. */
  step<S extends AtomicState, A, R>(
    table: KeyTable,
    key: string,
    operation: AtomicOperation<S, A, R>,
    args: A,
  ): Decision<S, R> {
    const held = table.entries.get(key);
    if (held === undefined) assertStorageKey(key);
    const now = this.clock();
    const state = held === undefined || held.expiresAtMs <= now ? undefined : held;
    if (state instanceof PlainValue) throw wrongKind(operation.name, key);
    const decision = operation.decide(state as S | undefined, args, now);
    if (decision.commit === undefined) return decision;
    if (held === undefined) this.reserve(1);
    this.#keep(table, key, held, decision.commit());
    return decision;
  }

  /** Decides all steps and commits them when all are admitted. */
  stepTogether(calls: readonly AtomicCall[]): Decision<AtomicState, unknown>[] {
    assertDistinct(calls);
    const now = this.clock();
    const steps = calls.map((call) => this.#decide(call, now));
    const decisions = steps.map(({ decision }) => decision);
    if (!decisions.every(({ admitted }) => admitted)) {
      return decisions.map(({ result, admitted }) => ({ result, admitted }));
    }
    if (this.#maxEntries !== Infinity) this.reserveFor(placesToWrite(steps), now);
    for (const { place, decision } of steps) {
      if (decision.commit === undefined) continue;
      // Looked up anew: room for one step may have been made by giving back the expired entry of another.
      const { table, key } = place;
      this.#keep(table, key, table.entries.get(key), decision.commit());
    }
    return decisions;
  }

  #decide({ operation, key: name, args }: AtomicCall, now: number): DecidedStep {
    const place = this.space.place(name);
    const held = place.table.entries.get(place.key);
    const state = held === undefined || held.expiresAtMs <= now ? undefined : held;
    if (state instanceof PlainValue) throw wrongKind(operation.name, name);
    const decision = operation.decide(state, args, now) as Decision<AtomicState, unknown>;
    return { place, decision };
  }

  #keep(
    table: KeyTable,
    key: string,
    held: AtomicState | undefined,
    state: AtomicState | undefined,
  ): void {
    if (state === held) return;
    if (state === undefined) this.#takeOut(table, key);
    else if (held === undefined) this.put(table, key, state);
    else table.entries.set(key, state);
  }

  /** Where room is limited it is given back at once. */
  #takeOut(table: KeyTable, key: string): void {
    const keepsPlace = table.entries.size <= FEW && this.#maxEntries === Infinity;
    if (keepsPlace) table.entries.set(key, DELETED);
    else this.remove(table, key);
  }
}

function placesToWrite(steps: readonly DecidedStep[]): KeyPlace[] {
  return steps.flatMap(({ place, decision }) => (decision.commit === undefined ? [] : [place]));
}

/** By comparing each with each where they are few, as they mostly are. */
function assertDistinct(calls: readonly AtomicCall[]): void {
  const isDistinct =
    calls.length <= FEW
      ? calls.every(
          ({ key }, at) => !calls.some((other, before) => before < at && other.key === key),
        )
      : new Set(calls.map(({ key }) => key)).size === calls.length;
  if (!isDistinct) throw new TypeError('executeTogether: the keys of the calls must differ');
}

function wrongKind(operation: string, key: string): TypeError {
  return new TypeError(
    `Cannot execute ${operation} on "${key.slice(0, 64)}": it holds a plain value`,
  );
}
