import type { AtomicState } from '@frontmcp/guard-core';

type Entries = Map<string, AtomicState>;

/** How many entries one `Map` is given, and how many it is parted into then. */
const MOST_IN_ONE = 16_384;
const PARTS = 256;

/** How much of a key decides on its part: the end, where keys differ. */
const HASHED = 16;

/**
 * The entries of a table. Few are in one `Map`; many are in several, by a hash of their keys. A `Map` is built anew, at once, each time that
 * it has grown or shrunk by a factor: a tenth of a second for a million entries, a millisecond for what a part holds of them.
 */
export class EntryMap {
  #one: Entries = new Map();
  #parts: readonly Entries[] | undefined = undefined;
  #sizeOfParts = 0;

  get size(): number {
    return this.#parts === undefined ? this.#one.size : this.#sizeOfParts;
  }

  get(key: string): AtomicState | undefined {
    const parts = this.#parts;
    return parts === undefined ? this.#one.get(key) : partOf(parts, key).get(key);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  set(key: string, entry: AtomicState): void {
    if (this.#parts === undefined) {
      this.#one.set(key, entry);
      if (this.#one.size > MOST_IN_ONE) this.#part();
      return;
    }
    const part = partOf(this.#parts, key);
    const before = part.size;
    part.set(key, entry);
    this.#sizeOfParts += part.size - before;
  }

  delete(key: string): boolean {
    if (this.#parts === undefined) return this.#one.delete(key);
    const deleted = partOf(this.#parts, key).delete(key);
    if (deleted && --this.#sizeOfParts === 0) this.#parts = undefined;
    return deleted;
  }

  clear(): void {
    this.#one.clear();
    for (const part of this.#parts ?? []) part.clear();
    this.#parts = undefined;
    this.#sizeOfParts = 0;
  }

  /** The maps that hold the entries now. One that is empty is nobody's any more. */
  maps(): readonly Entries[] {
    return this.#parts ?? [this.#one];
  }

  *[Symbol.iterator](): IterableIterator<[string, AtomicState]> {
    for (const map of this.maps()) yield* map;
  }

  /** Empties the one map, so that whoever goes through it comes to its end. */
  #part(): void {
    const parts = Array.from({ length: PARTS }, (): Entries => new Map());
    for (const [key, entry] of this.#one) partOf(parts, key).set(key, entry);
    this.#sizeOfParts = this.#one.size;
    this.#parts = parts;
    this.#one.clear();
  }
}

/** Goes once through the entries of an {@link EntryMap} that may change meanwhile; it ends early when they are parted. */
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
