import { EntryMap } from './entry-map.js';

const COLON = ':'.charCodeAt(0);

/** The entries of one kind under one prefix. The name of an entry is prefix, key and suffix. */
export interface KeyTable {
  readonly prefix: string;
  /** `:<kind>`, or nothing for keys of no kind. */
  readonly suffix: string;
  readonly entries: EntryMap;
  /** Whether there is a table of the same kind under a longer prefix, which some names of this one belong in. */
  hasNarrower: boolean;
}

/** The tables of one kind. */
interface Kind {
  readonly suffix: string;
  readonly byPrefix: Map<string, KeyTable>;
  /** The lengths that a prefix has, the longest first. */
  prefixLengths: readonly number[];
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
 * the longest prefix that it starts with. To find it takes as many steps as there are different lengths of kinds and of
 * prefixes, however many there are of each.
 */
export class KeySpace {
  /** The tables that may hold entries. Whoever puts the first entry in a table adds it; who finds it empty may take it out. */
  readonly occupied: Set<KeyTable> = new Set();
  readonly #plain: KeyTable = {
    prefix: '',
    suffix: '',
    entries: new EntryMap(),
    hasNarrower: false,
  };
  readonly #kinds = new Map<string, Kind>();
  #suffixLengths: readonly number[] = [];

  get isEmpty(): boolean {
    for (const { entries } of this.occupied) if (entries.size > 0) return false;
    return true;
  }

  /**
   * The table of a kind under a prefix, made on first use; names that belong in it move there.
   *
   * @throws TypeError when a name could end in this kind and in another.
   */
  tableOf(kind: string, prefix = ''): KeyTable {
    const ofKind = this.#kinds.get(`:${kind}`) ?? this.#addKind(kind);
    return ofKind.byPrefix.get(prefix) ?? this.#addTable(ofKind, prefix);
  }

  place(name: string): KeyPlace {
    const ofKind = this.#kindOf(name);
    const table = ofKind === undefined ? undefined : tableFor(name, ofKind);
    return table === undefined
      ? { table: this.#plain, key: name }
      : { table, key: keyIn(table, name) };
  }

  clear(): void {
    for (const { entries } of this.occupied) entries.clear();
    this.occupied.clear();
  }

  #kindOf(name: string): Kind | undefined {
    for (const length of this.#suffixLengths) {
      if (length > name.length || name.charCodeAt(name.length - length) !== COLON) continue;
      const kind = this.#kinds.get(name.slice(-length));
      if (kind !== undefined) return kind;
    }
    return undefined;
  }

  #addKind(kind: string): Kind {
    const suffix = `:${kind}`;
    for (const other of this.#kinds.keys()) {
      if (other.endsWith(suffix) || suffix.endsWith(other)) {
        throw new TypeError(`Kind "${kind}" and kind "${other.slice(1)}" could end one name`);
      }
    }
    const added: Kind = { suffix, byPrefix: new Map(), prefixLengths: [] };
    this.#kinds.set(suffix, added);
    this.#suffixLengths = withLength(this.#suffixLengths, suffix.length);
    return added;
  }

  #addTable(kind: Kind, prefix: string): KeyTable {
    const others = [...kind.byPrefix.values()];
    const wider = others.filter((table) => prefix.startsWith(table.prefix));
    const hasNarrower = others.some((table) => table.prefix.startsWith(prefix));
    const added: KeyTable = { prefix, suffix: kind.suffix, entries: new EntryMap(), hasNarrower };
    for (const table of [this.#plain, ...wider]) {
      for (const [key, entry] of table.entries) {
        const name = nameOf(table, key);
        if (!belongsIn(name, added)) continue;
        added.entries.set(keyIn(added, name), entry);
        table.entries.delete(key);
      }
    }
    if (added.entries.size > 0) this.occupied.add(added);
    for (const table of wider) table.hasNarrower = true;
    kind.byPrefix.set(prefix, added);
    kind.prefixLengths = withLength(kind.prefixLengths, prefix.length);
    return added;
  }
}

function tableFor(name: string, { suffix, byPrefix, prefixLengths }: Kind): KeyTable | undefined {
  const room = name.length - suffix.length;
  for (const length of prefixLengths) {
    if (length > room) continue;
    const table = byPrefix.get(name.slice(0, length));
    if (table !== undefined) return table;
  }
  return undefined;
}

/** With that length too, once, the longest first. */
function withLength(lengths: readonly number[], length: number): readonly number[] {
  return lengths.includes(length) ? lengths : [...lengths, length].sort((a, b) => b - a);
}

function belongsIn(name: string, { prefix, suffix }: KeyTable): boolean {
  return (
    name.length >= prefix.length + suffix.length && name.endsWith(suffix) && name.startsWith(prefix)
  );
}

function keyIn({ prefix, suffix }: KeyTable, name: string): string {
  return name.slice(prefix.length, name.length - suffix.length);
}
