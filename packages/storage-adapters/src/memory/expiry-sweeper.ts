import { startUnrefTimer } from '../start-unref-timer.js';
import { EntryCursor } from './entry-map.js';
import type { KeySpace, KeyTable } from './key-space.js';

/** How many entries are looked at in one go, at most. */
export const SLICE = 1_000;
const PAUSE_MS = 100;

/**
 * Gives expired entries back in small steps. A slice looks at a thousand entries, some tens of microseconds of work; while a
 * tenth of a slice had expired the next follows at once, else after a pause (the rule of Redis's active expiry). In a hurry, it
 * follows at once until all entries have been looked at.
 * One timer for the whole store, which never keeps the process alive and is gone while the store is empty.
 */
export class ExpirySweeper {
  readonly #space: KeySpace;
  readonly #clock: () => number;
  readonly #reclaim: (table: KeyTable, key: string) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tables: IterableIterator<KeyTable> | undefined;
  #table: KeyTable | undefined;
  #cursor: EntryCursor | undefined;
  /** How many entries are still to be looked at without pause. */
  #hurry = 0;

  constructor(
    space: KeySpace,
    clock: () => number,
    reclaim: (table: KeyTable, key: string) => void,
  ) {
    this.#space = space;
    this.#clock = clock;
    this.#reclaim = reclaim;
  }

  /** Makes sure that a slice is due. */
  schedule(): void {
    this.#timer ??= startUnrefTimer(() => this.#run(), PAUSE_MS);
  }

  /** Has the slices follow each other at once until `count` entries have been looked at. Asked again meanwhile, it goes on. */
  hurry(count: number): void {
    if (this.#hurry > 0) return;
    this.stop();
    this.#hurry = count;
    this.#timer = startUnrefTimer(() => this.#run(), 0);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#hurry = 0;
  }

  /**
   * Looks at the next `count` entries, going round, and gives the expired ones back.
   *
   * @returns How many it gave back.
   */
  sweep(count: number): number {
    const now = this.#clock();
    let reclaimed = 0;
    let looked = 0;
    let exhausted = 0;
    const { size: tables } = this.#space.occupied;
    while (looked < count && exhausted <= tables) {
      const table = (this.#table ??= this.#nextTable());
      if (table === undefined) break;
      this.#cursor ??= new EntryCursor(table.entries);
      const next = this.#cursor.next();
      if (next === undefined) {
        if (table.entries.size === 0) this.#space.occupied.delete(table);
        this.#table = undefined;
        this.#cursor = undefined;
        exhausted++;
        continue;
      }
      looked++;
      const [key, entry] = next;
      if (entry.expiresAtMs > now) continue;
      this.#reclaim(table, key);
      reclaimed++;
    }
    this.#hurry = looked < count ? 0 : Math.max(0, this.#hurry - looked);
    return reclaimed;
  }

  /** Goes round the tables that may hold entries. */
  #nextTable(): KeyTable | undefined {
    const next = this.#tables?.next();
    if (next !== undefined && next.done !== true) return next.value;
    this.#tables = this.#space.occupied.values();
    const first = this.#tables.next();
    return first.done === true ? undefined : first.value;
  }

  #run(): void {
    this.#timer = undefined;
    const reclaimed = this.sweep(SLICE);
    for (const { entries } of this.#space.occupied) entries.move(SLICE);
    if (this.#space.isEmpty) {
      this.#hurry = 0;
      return;
    }
    const atOnce = this.#hurry > 0 || reclaimed > SLICE / 10;
    this.#timer = startUnrefTimer(() => this.#run(), atOnce ? 0 : PAUSE_MS);
  }
}
