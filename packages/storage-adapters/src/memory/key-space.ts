import type { AtomicState } from '@frontmcp/guard-core';

/** The entries of one kind. The name of an entry is its key with the suffix. */
export interface KeyTable {
  /** `:<kind>`, or nothing for keys of no kind. */
  readonly suffix: string;
  readonly entries: Map<string, AtomicState>;
}

/** Where a full name lives. */
export interface KeyPlace {
  readonly table: KeyTable;
  readonly key: string;
}

/**
 * All names of a store, in a table per kind, so that a caller who bound a kind finds an entry by its own key and no name
 * is put together on the way. Any full name still has exactly one place: that of the one kind that it ends in.
 */
export class KeySpace {
  readonly #plain: KeyTable = { suffix: '', entries: new Map() };
  readonly #tables: KeyTable[] = [this.#plain];

  get tables(): readonly KeyTable[] {
    return this.#tables;
  }

  /**
   * The table of a kind, made on first use; names that end in the kind move there.
   *
   * @throws TypeError when a name could end in this kind and in another.
   */
  tableOf(kind: string): KeyTable {
    const suffix = `:${kind}`;
    for (const { suffix: other } of this.#kinds()) {
      if (other !== suffix && (other.endsWith(suffix) || suffix.endsWith(other))) {
        throw new TypeError(`Kind "${kind}" and kind "${other.slice(1)}" could end one name`);
      }
    }
    return this.#tables.find((table) => table.suffix === suffix) ?? this.#add(suffix);
  }

  place(name: string): KeyPlace {
    for (const table of this.#kinds()) {
      if (name.endsWith(table.suffix)) {
        return { table, key: name.slice(0, -table.suffix.length) };
      }
    }
    return { table: this.#plain, key: name };
  }

  clear(): void {
    for (const { entries } of this.#tables) entries.clear();
  }

  *#kinds(): Iterable<KeyTable> {
    for (let index = 1; index < this.#tables.length; index++) {
      yield this.#tables[index] as KeyTable;
    }
  }

  #add(suffix: string): KeyTable {
    const table: KeyTable = { suffix, entries: new Map() };
    for (const [name, entry] of this.#plain.entries) {
      if (!name.endsWith(suffix)) continue;
      table.entries.set(name.slice(0, -suffix.length), entry);
      this.#plain.entries.delete(name);
    }
    this.#tables.push(table);
    return table;
  }
}
