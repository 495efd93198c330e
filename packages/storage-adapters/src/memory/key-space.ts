import type { AtomicState } from '@frontmcp/guard-core';

/** The entries of one kind under one prefix. The name of an entry is prefix, key and suffix. */
export interface KeyTable {
  readonly prefix: string;
  /** `:<kind>`, or nothing for keys of no kind. */
  readonly suffix: string;
  readonly entries: Map<string, AtomicState>;
  /** Whether there is a table of the same kind under a longer prefix, which some names of this one belong in. */
  hasNarrower: boolean;
}

/** Where a full name lives. */
export interface KeyPlace {
  readonly table: KeyTable;
  readonly key: string;
}

/** The full name of an entry. A key that is not a string stays what it is, for the caller to refuse. */
export function nameOf({ prefix, suffix }: KeyTable, key: string): string {
  return typeof key === 'string' ? prefix + key + suffix : key;
}

/**
 * All names of a store, in a table per kind and prefix, so that a caller who bound them finds an entry by its own key and no
 * name is put together on the way. Any full name still has exactly one place: the table of the one kind that it ends in, under
 * the longest prefix that it starts with.
 */
export class KeySpace {
  readonly #plain: KeyTable = { prefix: '', suffix: '', entries: new Map(), hasNarrower: false };
  readonly #tables: KeyTable[] = [this.#plain];

  get tables(): readonly KeyTable[] {
    return this.#tables;
  }

  /**
   * The table of a kind under a prefix, made on first use; names that belong in it move there.
   *
   * @throws TypeError when a name could end in this kind and in another.
   */
  tableOf(kind: string, prefix = ''): KeyTable {
    const suffix = `:${kind}`;
    for (const { suffix: other } of this.#bound()) {
      if (other !== suffix && (other.endsWith(suffix) || suffix.endsWith(other))) {
        throw new TypeError(`Kind "${kind}" and kind "${other.slice(1)}" could end one name`);
      }
    }
    return (
      this.#bound().find((table) => table.suffix === suffix && table.prefix === prefix) ??
      this.#add(prefix, suffix)
    );
  }

  place(name: string): KeyPlace {
    let found = this.#plain;
    for (const table of this.#tables) {
      if (belongsIn(name, table) && table.prefix.length >= found.prefix.length) found = table;
    }
    return { table: found, key: keyIn(found, name) };
  }

  clear(): void {
    for (const { entries } of this.#tables) entries.clear();
  }

  #bound(): readonly KeyTable[] {
    return this.#tables.slice(1);
  }

  #add(prefix: string, suffix: string): KeyTable {
    const ofKind = this.#bound().filter((table) => table.suffix === suffix);
    const wider = ofKind.filter((table) => prefix.startsWith(table.prefix));
    const hasNarrower = ofKind.some((table) => table.prefix.startsWith(prefix));
    const added: KeyTable = { prefix, suffix, entries: new Map(), hasNarrower };
    for (const table of [this.#plain, ...wider]) {
      for (const [key, entry] of table.entries) {
        const name = nameOf(table, key);
        if (!belongsIn(name, added)) continue;
        added.entries.set(keyIn(added, name), entry);
        table.entries.delete(key);
      }
    }
    for (const table of wider) table.hasNarrower = true;
    this.#tables.push(added);
    return added;
  }
}

function belongsIn(name: string, { prefix, suffix }: KeyTable): boolean {
  return (
    name.length >= prefix.length + suffix.length && name.endsWith(suffix) && name.startsWith(prefix)
  );
}

function keyIn({ prefix, suffix }: KeyTable, name: string): string {
  return name.slice(prefix.length, name.length - suffix.length);
}
