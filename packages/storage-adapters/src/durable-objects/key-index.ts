import { matchesGlob } from '../matches-glob.js';
import type { DurableObjectNamespaceBinding, GuardObjectStorage } from './object-binding.js';

/** How many objects share the index: a new key costs one write to one of them. */
const SHARDS = 16;
/** How many names one of them looks through in one call. */
const PAGE = 1000;
const PREFIX = 'name:';

/** The object of a key. A prefix keeps it apart from those of the index, whatever the key is. */
export function objectOf(namespace: DurableObjectNamespaceBinding, key: string): object {
  return namespace.idFromName(`key:${key}`);
}

/** The object of the part of the index that a key is listed in. */
export function shardOf(namespace: DurableObjectNamespaceBinding, key: string): object {
  return namespace.idFromName(`index:${hash(key) % SHARDS}`);
}

/** The objects of the index. */
export function allShards(namespace: DurableObjectNamespaceBinding): object[] {
  return Array.from({ length: SHARDS }, (_, shard) => namespace.idFromName(`index:${shard}`));
}

/** Some of the names that match a pattern. */
export interface NamePage {
  readonly names: readonly string[];
  /** Where to go on; absent at the end. */
  readonly next?: string;
}

/** One part of the index: the names of keys, in the storage of its object. Both changes may come again. */
export class KeyIndex {
  readonly #storage: GuardObjectStorage;

  constructor(storage: GuardObjectStorage) {
    this.#storage = storage;
  }

  async add(key: string): Promise<void> {
    await this.#storage.put(PREFIX + key, true);
  }

  async remove(key: string): Promise<void> {
    await this.#storage.delete(PREFIX + key);
  }

  async page(pattern: string, startAfter: string | undefined): Promise<NamePage> {
    const start = startAfter === undefined ? {} : { startAfter: PREFIX + startAfter };
    const found = await this.#storage.list({ prefix: PREFIX, ...start, limit: PAGE });
    const names = [...found.keys()].map((place) => place.slice(PREFIX.length));
    const next = names.length < PAGE ? undefined : names.at(-1);
    return {
      names: names.filter((name) => matchesGlob(pattern, name)),
      ...(next !== undefined && { next }),
    };
  }
}

/** FNV-1a over UTF-16 units. It decides where a name is listed, so it must not change. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  return value;
}
