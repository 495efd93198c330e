import type { AtomicState } from '@frontmcp/guard-core';

type Entries = Map<string, AtomicState>;

/** How many entries one `Map` is given: not so many that it would grow beyond 131,072 places, which takes 6 ms. */
const MOST_IN_ONE = 120_000;
const PARTS = 256;
/** How many entries move into their parts with each new one. */
const MOVES = 4;

/** How much of a key decides on its part: the end, where keys differ. */
const HASHED = 16;

/**
 * The entries of a table. They are in one `Map`; where they are many, in several, by a hash of their keys. A `Map` is built anew, at
 * once, each time that it has grown or shrunk by a factor: a tenth of a second for a million entries, a millisecond for what a part
 * holds of them. They move from the one to the parts a few at a time.
 */
export class EntryMap {
  readonly #one: Entries = new Map();
  #parts: readonly Entries[] | undefined = undefined;
  #sizeOfParts = 0;
  /** Goes through those that are still to be moved. */
  #moving: IterableIterator<[string, AtomicState]> | undefined = undefined;

  get size(): number {
    return this.#one.size + this.#sizeOfParts;
  }

  get(key: string): AtomicState | undefined {
    const parts = this.#parts;
    return parts === undefined ? this.#one.get(key) : this.#find(parts, key);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  set(key: string, entry: AtomicState): void {
    if (this.#parts !== undefined) {
      this.#one.delete(key);
      this.#setInPart(this.#parts, key, entry);
      this.move(MOVES);
      return;
    }
    this.#one.set(key, entry);
    if (this.#one.size <= MOST_IN_ONE) return;
    this.#parts = Array.from({ length: PARTS }, (): Entries => new Map());
    this.#moving = this.#one.entries();
  }

  delete(key: string): boolean {
    if (this.#parts === undefined) return this.#one.delete(key);
    const isInPart = partOf(this.#parts, key).delete(key);
    if (isInPart) this.#sizeOfParts--;
    const deleted = isInPart || this.#one.delete(key);
    this.#endParts();
    return deleted;
  }

  clear(): void {
    this.#one.clear();
    for (const part of this.#parts ?? []) part.clear();
    this.#sizeOfParts = 0;
    this.#endParts();
  }

  /** Moves up to `count` entries into their parts, where there are parts and some that are not in theirs. */
  move(count: number): void {
    if (this.#moving === undefined || this.#parts === undefined) return;
    for (let moved = 0; moved < count; moved++) {
      const next = this.#moving.next();
      if (next.done === true) {
        this.#moving = undefined;
        return;
      }
      const [key, entry] = next.value;
      this.#one.delete(key);
      this.#setInPart(this.#parts, key, entry);
    }
  }

  /** The maps that hold the entries now. An entry that moves does so from the first to a later one. */
  maps(): readonly Entries[] {
    return this.#parts === undefined ? [this.#one] : [this.#one, ...this.#parts];
  }

  *[Symbol.iterator](): IterableIterator<[string, AtomicState]> {
    for (const map of this.maps()) yield* map;
  }

  #find(parts: readonly Entries[], key: string): AtomicState | undefined {
    const entry = partOf(parts, key).get(key);
    return entry !== undefined || this.#moving === undefined ? entry : this.#one.get(key);
  }

  #setInPart(parts: readonly Entries[], key: string, entry: AtomicState): void {
    const part = partOf(parts, key);
    const before = part.size;
    part.set(key, entry);
    this.#sizeOfParts += part.size - before;
  }

  #endParts(): void {
    if (this.size > 0) return;
    this.#parts = undefined;
    this.#moving = undefined;
  }
}

/** Goes once through the entries of an {@link EntryMap} that may change meanwhile. One that moves may be seen twice. */
export class EntryCursor {
  readonly #maps: readonly Entries[];
  #at = 0;
  #iterator: IterableIterator<[string, AtomicState]> | undefined = undefined;

  constructor(entries: EntryMap) {
    this.#maps = entries.maps();
  }

  /** @returns Undefined at the end. */
  next(): [string, AtomicState] | undefined {
    for (;;) {
      const next = this.#iterator?.next();
      if (next !== undefined && next.done !== true) return next.value;
      const map = this.#maps[this.#at++];
      if (map !== undefined) this.#iterator = map.entries();
      else return undefined;
    }
  }
}

/** FNV-1a of the end of the key. */
function partOf(parts: readonly Entries[], key: string): Entries {
  let hash = key.length;
  for (let i = Math.max(0, key.length - HASHED); i < key.length; i++) {
    hash = Math.imul(hash ^ key.charCodeAt(i), 16_777_619);
  }
  return parts[(hash ^ (hash >>> 15)) & (PARTS - 1)] as Entries;
}
